/** Generates transactions on the demo platform. */

import { remunerationOf, roundedEuros } from '../platform/commission.ts';
import type { Platform } from '../platform/demo-platform.ts';
import type { DemoPeriod } from '../random/hourly-volumes.ts';
import { Random } from '../random/random.ts';
import { DAY, midnightOf, momentText } from '../random/wall-clock.ts';
import { actionOf } from './action-fields.ts';
import { totalOf } from './event-counts.ts';
import { NO_SALE, type SaleFields, saleOf } from './sale-fields.ts';
import { settlementOf } from './settlement.ts';
import type { DemoTransaction, TrackingEvent } from './tracking-event.ts';
import { trackingEvents } from './tracking-events.ts';
import { trackingOf } from './tracking-fields.ts';
import { validationOf } from './validation.ts';

const SEED = 1_789;
const BEFORE_FIRST_ID = 48_000_000;

/** Yields the transactions in the order of creation. The result is the same on every call. */
export function* demoTransactions(
  platform: Platform,
  period: DemoPeriod,
): Generator<DemoTransaction, void, undefined> {
  const random = new Random(SEED);
  const now = midnightOf(period.lastDay) + DAY - 1;
  for (const event of trackingEvents(platform, period, random)) {
    yield transactionOf(event, now, platform, random);
  }
}

function transactionOf(
  event: TrackingEvent,
  now: number,
  platform: Platform,
  random: Random,
): DemoTransaction {
  const { number, kind, moment, program, website, support, visit } = event;
  const total = totalOf(event, random);
  const sale = kind === 'sales' && visit !== null ? saleOf(event, visit, random) : NO_SALE;
  const validation = validationOf(event, now, random);
  return {
    type: kind,
    transaction_id: BEFORE_FIRST_ID + number,
    program_id: program.id,
    publisher_id: website.id,
    support_id: support.id,
    ...settlementOf(event, validation.status, now, platform),
    ...remunerationsOf(event, total, sale),
    ...trackingOf(event, random),
    total,
    ...actionOf(event, random),
    ...sale,
    ...validation,
    created_at: momentText(moment),
  };
}

/** The advertiser pays the publisher's remuneration and the network's margin. */
function remunerationsOf(
  { kind, program }: TrackingEvent,
  total: number | null,
  { amount }: Pick<SaleFields, 'amount'>,
): Pick<DemoTransaction, 'remu_program' | 'remu_publisher'> {
  const remuneration = remunerationOf(program.commission, { kind, total, amount });
  return {
    remu_program: roundedEuros(remuneration * (1 + program.margin)),
    remu_publisher: remuneration,
  };
}
