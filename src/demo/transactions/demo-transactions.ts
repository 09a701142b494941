/** A year of transactions on the demonstration's platform, from occasions to whole lines. */

import { remunerationOf, rounded } from '../platform/commission.ts';
import type { Platform } from '../platform/demo-platform.ts';
import { Random } from '../random/random.ts';
import { DAY, midnightOf, momentText } from '../random/wall-clock.ts';
import { actionOf } from './actions.ts';
import { totalOf } from './counts.ts';
import type { DemoTransaction, Occasion } from './occasion.ts';
import { occasions } from './occasions.ts';
import { pageOn } from './referers.ts';
import { NO_SALE, type SaleFields, saleOf } from './sale.ts';
import { settlementOf } from './settlement.ts';
import { trackingOf } from './tracking.ts';
import { verdictOf } from './verdict.ts';
import { visitorOf } from './visitors.ts';

export interface DemoYear {
  /** How many transactions there are in all. */
  readonly rows: number;
  /** The last of the 365 days, `YYYY-MM-DD`: the year is told as it stands when this day ends. */
  readonly lastDay: string;
}

const SEED = 1_789;
const BEFORE_FIRST_ID = 48_000_000;

/** Exactly so many transactions in the order of their creation, the same ones at every call. */
export function* demoTransactions(
  platform: Platform,
  year: DemoYear,
): Generator<DemoTransaction, void, undefined> {
  const random = new Random(SEED);
  const now = midnightOf(year.lastDay) + DAY - 1;
  for (const occasion of occasions(platform, year, random)) {
    yield transactionOf(occasion, now, platform, random);
  }
}

function transactionOf(
  occasion: Occasion,
  now: number,
  platform: Platform,
  random: Random,
): DemoTransaction {
  const { number, kind, moment, program, website, support } = occasion;
  const total = totalOf(occasion, random);
  const referer = pageOn(website, program, random);
  const sale = kind === 'sales' ? saleOf(occasion, referer, random) : NO_SALE;
  const verdict = verdictOf(occasion, now, random);
  return {
    type: kind,
    transaction_id: BEFORE_FIRST_ID + number,
    program_id: program.id,
    publisher_id: website.id,
    support_id: support.id,
    ...settlementOf(occasion, verdict.status, now, platform),
    ...remunerationsOf(occasion, total, sale),
    ...trackingOf(occasion, total, random),
    total,
    ...actionOf(occasion, random),
    ...sale,
    ...visitorOf(random),
    referer,
    ...verdict,
    created_at: momentText(moment),
  };
}

/** The advertiser pays the publisher's remuneration and the network's margin. */
function remunerationsOf(
  { kind, program }: Occasion,
  total: number | null,
  { amount }: Pick<SaleFields, 'amount'>,
): Pick<DemoTransaction, 'remu_program' | 'remu_publisher'> {
  const remuneration = remunerationOf(program.commission, { kind, total, amount });
  return {
    remu_program: rounded(remuneration * (1 + program.margin)),
    remu_publisher: remuneration,
  };
}
