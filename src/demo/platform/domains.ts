/** Domains of the publishers' websites, under the reserved top-level domain `.example`. */

import type { Sector } from './program-profiles.ts';

export interface Domain {
  /** Without `www.` and `.example`. */
  readonly name: string;
  /** The topic of the website; absent if it covers all topics. */
  readonly sector?: Sector;
}

const FORMS = [
  ...['code-promo', 'bons-plans', 'cashback', 'comparatif', 'avis', 'guide', 'top', 'blog'],
  ...['mag', 'club', 'passion', 'conseils', 'deals', 'coupons', 'le-coin', 'tout-sur'],
  ...['100-pour-cent', 'univers', 'planete', 'mon', 'forum', 'actu', 'astuces', 'ma-liste'],
] as const;

const THEMES: Readonly<Record<string, Sector>> = {
  mode: 'fashion',
  chaussures: 'fashion',
  bijoux: 'fashion',
  beaute: 'beauty',
  parfum: 'beauty',
  maison: 'home',
  jardin: 'home',
  deco: 'home',
  bricolage: 'home',
  voyage: 'travel',
  vacances: 'travel',
  'week-end': 'travel',
  'high-tech': 'technology',
  mobile: 'technology',
  logiciels: 'technology',
  banque: 'finance',
  assurance: 'finance',
  sport: 'leisure',
  jeux: 'leisure',
  livres: 'leisure',
  cuisine: 'food',
  vin: 'food',
  bebe: 'family',
  animaux: 'family',
  energie: 'services',
};

/** All combinations of form and theme, shuffled. */
export function themedDomains(): readonly Domain[] {
  const all = Object.entries(THEMES).flatMap(([theme, sector]) =>
    FORMS.map((form) => ({ name: `${form}-${theme}`, sector })),
  );
  // Steps of 191 visit every name once, because 191 and the number of names have no common divisor.
  return all.map((domain, at) => all[(at * 191) % all.length] ?? domain);
}
