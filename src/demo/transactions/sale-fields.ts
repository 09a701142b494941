/** Fields of a sale: amount, coupon, and the clicks that led to it. */

import type { Random } from '../random/random.ts';
import { momentText } from '../random/wall-clock.ts';
import { pickerOf } from '../random/weighted-picker.ts';
import { pageElsewhere } from './referers.ts';
import type { DemoTransaction, TrackingEvent, Visit } from './tracking-event.ts';
import { COOKIE_WINDOW } from './visits.ts';

export type SaleFields = Pick<
  DemoTransaction,
  | 'amount'
  | 'coupon'
  | 'share'
  | 'share_label'
  | 'first_click'
  | 'last_click'
  | 'first_referer'
  | 'last_referer'
>;

export const NO_SALE: { readonly [name in keyof SaleFields]: null } = {
  amount: null,
  coupon: null,
  share: null,
  share_label: null,
  first_click: null,
  last_click: null,
  first_referer: null,
  last_referer: null,
};

const LAST = { share: 0, share_label: 'Last click' } as const;
const FIRST = { share: 1, share_label: 'First click' } as const;
const SPLIT = { share: 2, share_label: 'Split' } as const;

const attribution = pickerOf(
  [
    { ...LAST, weight: 55 },
    { ...FIRST, weight: 20 },
    { ...SPLIT, weight: 25 },
  ],
  ({ weight }) => weight,
);

/** The publisher's click is that of the visit; other partners may have had clicks before or after it. */
export function saleOf(event: TrackingEvent, visit: Visit, random: Random): SaleFields {
  const { commission, coupons } = event.program;
  const basket = commission.model === 'percentage' ? commission.basket : 0;
  return {
    amount: Math.round(random.logNormal(basket, 0.55) * 100) / 100,
    coupon: random.chance(0.28) ? random.oneOf(coupons) : null,
    ...(random.chance(0.55) ? oneClick(visit) : severalClicks(event, visit, random)),
  };
}

type ClickFields = Omit<SaleFields, 'amount' | 'coupon'>;

function oneClick({ clickedAt, fields: { referer } }: Visit): ClickFields {
  const click = momentText(clickedAt);
  return {
    ...LAST,
    first_click: click,
    last_click: click,
    first_referer: referer,
    last_referer: referer,
  };
}

function severalClicks(event: TrackingEvent, visit: Visit, random: Random): ClickFields {
  const { moment, program } = event;
  const { clickedAt, fields } = visit;
  const { share, share_label } = attribution(random);
  const isFirst = share === FIRST.share || (share === SPLIT.share && random.chance(0.5));
  const elsewhere = pageElsewhere(program, random);
  const [first, last] = isFirst
    ? [clickedAt, random.integer(clickedAt, moment)]
    : [earlierClick(clickedAt, moment, random), clickedAt];
  return {
    share,
    share_label,
    first_click: momentText(first),
    last_click: momentText(last),
    first_referer: isFirst ? fields.referer : elsewhere,
    last_referer: isFirst ? elsewhere : fields.referer,
  };
}

/** The time of another partner's click, usually shortly before the visit's, within the cookie window. */
const earlierClick = (clickedAt: number, moment: number, random: Random): number =>
  clickedAt - Math.floor((COOKIE_WINDOW - (moment - clickedAt)) * random.unit() ** 2);
