/** Formats of advertisements, and names of campaigns. */

/** Formats of a support, with their click rates. */
export const FORMATS = [
  { name: 'leaderboard', clickRate: 0.006 },
  { name: 'skyscraper', clickRate: 0.005 },
  { name: 'rectangle', clickRate: 0.009 },
  { name: 'native', clickRate: 0.014 },
  { name: 'text link', clickRate: 0.02 },
  { name: 'newsletter', clickRate: 0.026 },
  { name: 'comparison', clickRate: 0.029 },
] as const;

/** As typed by many people: with accents, commas and quotation marks. */
export const CAMPAIGNS = [
  'newsletter-hebdo',
  'newsletter_soldes',
  'fb_retargeting',
  'insta-story',
  'tiktok_test2',
  'push-app',
  'bandeau-home',
  'Bannière, haut de page',
  'article "bons plans"',
  'Rentrée',
  'black-friday',
  'youtube-review',
  'menu-mobile',
  'seo/comparatif',
] as const;
