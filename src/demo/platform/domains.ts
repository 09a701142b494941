/** The names of the publishers' websites, all of them below the reserved domain `.example`. */

import type { Sector } from './program-lines.ts';

export interface Domain {
  /** Without `www.` and `.example`. */
  readonly name: string;
  /** What the website is about; everything, where it is missing. */
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

/** Every form with every theme, well mixed. */
export function themedDomains(): readonly Domain[] {
  const all = Object.entries(THEMES).flatMap(([theme, sector]) =>
    FORMS.map((form) => ({ name: `${form}-${theme}`, sector })),
  );
  // 191 is a prime: each step meets a name that was not met before.
  return all.map((domain, at) => all[(at * 191) % all.length] ?? domain);
}
