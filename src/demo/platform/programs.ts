/** Programs of the advertisers: commission, growth and partner websites. */

import { ACTIONS, type Kind } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import { type Picker, pickerOf } from '../random/weighted-picker.ts';
import type { Commission } from './commission.ts';
import { PROGRAM_PROFILES, type ProgramProfile, type Sector } from './program-profiles.ts';
import type { Website } from './websites.ts';

export interface Program {
  readonly id: number;
  readonly name: string;
  /** The name as used in URLs. */
  readonly slug: string;
  readonly sector: Sector;
  readonly commission: Commission;
  /** What the network charges on top of the publisher's remuneration, as a share of it. */
  readonly margin: number;
  readonly popularity: number;
  /** How many days the program has been running on the last day of the data. */
  readonly age: number;
  /** Growth in a year, as a share of the volume at its start. */
  readonly growth: number;
  readonly refusalRate: number;
  readonly coupons: readonly [string, ...string[]];
  readonly partner: Picker<Website>;
}

/** The action that each model pays for. Its programs have no other actions, but all have impressions and clicks. */
const ACTION_OF: { readonly [model in Commission['model']]: Kind | undefined } = {
  percentage: 'sales',
  lead: 'leads',
  click: undefined,
  thousand: undefined,
};

const DAYS_OF_RISE = 60;

const YEARS_OF_OLD_PROGRAMS = 5;

export function programsWith(websites: readonly Website[], random: Random): readonly Program[] {
  return PROGRAM_PROFILES.map((line, at) => program(101 + at, line, websites, random));
}

function program(
  id: number,
  line: ProgramProfile,
  websites: readonly Website[],
  random: Random,
): Program {
  const slug = slugOf(line.name);
  const code = slug.split('-', 1)[0]?.toUpperCase() ?? '';
  const partners = websites.filter(({ domain }) => random.chance(interest(domain.sector, line)));
  return {
    id,
    ...line,
    slug,
    margin: random.between(0.2, 0.3),
    popularity: random.logNormal(1, 0.8),
    age: random.chance(0.2) ? random.integer(125, 345) : YEARS_OF_OLD_PROGRAMS * 365,
    growth: random.between(-0.2, 0.8),
    refusalRate: random.between(0.08, 0.12),
    coupons: [`${code}10`, `BIENVENUE${random.integer(1, 4) * 5}`, `${code}-SOLDES`],
    partner: pickerOf(partners, ({ popularity }) => popularity),
  };
}

function interest(sector: Sector | undefined, line: ProgramProfile): number {
  if (sector === undefined) return 1;
  return sector === line.sector ? 0.9 : 0.4;
}

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

/** The relative weight of a program for a type of transactions, `daysBefore` days before the last day of the data. */
export function weightOn(program: Program, kind: Kind, daysBefore: number): number {
  if (ACTIONS.includes(kind) && ACTION_OF[program.commission.model] !== kind) return 0;
  const risen = Math.min(Math.max((program.age - daysBefore) / DAYS_OF_RISE, 0), 1);
  return program.popularity * risen * (1 + program.growth) ** (1 - daysBefore / 365);
}
