/** URLs of the pages from which visitors come. */

import type { Program } from '../platform/programs.ts';
import type { Website } from '../platform/websites.ts';
import type { Random } from '../random/random.ts';

const PAGES: readonly [(program: Program) => string, ...((program: Program) => string)[]] = [
  () => '',
  ({ slug }) => `code-promo/${slug}`,
  ({ slug }) => `bons-plans/${slug}`,
  ({ slug }) => `avis-${slug}.html`,
  ({ sector }) => `selection/${sector}?page=2`,
  ({ slug, sector }) => `comparatif?rayons=${sector},promos&marque=${slug}`,
];

const ELSEWHERE: typeof PAGES = [
  ({ slug }) => `https://www.recherche.example/search?q=code+promo+${slug}`,
  ({ slug }) => `https://www.recherche.example/search?q=${slug}+avis`,
  () => 'https://social.example/',
  ({ slug }) => `https://video.example/watch?v=${slug}`,
  () => 'https://courriel.example/inbox',
];

/** A page of the website; null if the browser sends no referer. */
export function pageOn(website: Website, program: Program, random: Random): string | null {
  if (random.chance(0.08)) return null;
  return `https://www.${website.domain.name}.example/${random.oneOf(PAGES)(program)}`;
}

/** A page of another partner, a search engine or a social network. */
export function pageElsewhere(program: Program, random: Random): string | null {
  return random.chance(0.5)
    ? pageOn(program.partner(random), program, random)
    : random.oneOf(ELSEWHERE)(program);
}
