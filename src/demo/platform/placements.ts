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

/** The name of a campaign, which affiliates use as sub id. */
export interface Campaign {
  readonly name: string;
  /** How often its visitors buy, relative to other campaigns. */
  readonly appeal: number;
}

/** Names as different people type them. Some have accents, commas or quotation marks. */
export const CAMPAIGNS: readonly Campaign[] = [
  { name: 'newsletter-hebdo', appeal: 1.6 },
  { name: 'newsletter_soldes', appeal: 2.1 },
  { name: 'fb_retargeting', appeal: 1.3 },
  { name: 'insta-story', appeal: 0.5 },
  { name: 'tiktok_test2', appeal: 0.25 },
  { name: 'push-app', appeal: 0.9 },
  { name: 'bandeau-home', appeal: 0.6 },
  { name: 'Bannière, haut de page', appeal: 0.4 },
  { name: 'article "bons plans"', appeal: 1.8 },
  { name: 'Rentrée', appeal: 1 },
  { name: 'black-friday', appeal: 2.4 },
  { name: 'youtube-review', appeal: 1.1 },
  { name: 'menu-mobile', appeal: 0.7 },
  { name: 'seo/comparatif', appeal: 1.9 },
];
