/** Fields of a sale: amount, coupon, and the clicks that led to it. */

import type { Random } from '../random/random.ts';
import { DAY, HOUR, momentText } from '../random/wall-clock.ts';
import { pickerOf } from '../random/weighted-picker.ts';
import { pageElsewhere } from './referers.ts';
import type { DemoTransaction, TrackingEvent } from './tracking-event.ts';

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

/** One hour less than 30 days, because clocks go back an hour in autumn. */
const COOKIE_WINDOW = 30 * DAY - HOUR;

/** `page` is the publisher's page with the click that led to the sale. */
export function saleOf(event: TrackingEvent, page: string | null, random: Random): SaleFields {
  const { commission, coupons } = event.program;
  const basket = commission.model === 'percentage' ? commission.basket : 0;
  return {
    amount: Math.round(random.logNormal(basket, 0.55) * 100) / 100,
    coupon: random.chance(0.28) ? random.oneOf(coupons) : null,
    ...(random.chance(0.55) ? oneClick : severalClicks)(event, page, random),
  };
}

type ClickFields = Omit<SaleFields, 'amount' | 'coupon'>;

function oneClick({ moment }: TrackingEvent, page: string | null, random: Random): ClickFields {
  const click = momentText(moment - secondsToDecide(random));
  return {
    ...LAST,
    first_click: click,
    last_click: click,
    first_referer: page,
    last_referer: page,
  };
}

function severalClicks(event: TrackingEvent, page: string | null, random: Random): ClickFields {
  const { moment, program } = event;
  const { share, share_label } = attribution(random);
  const late = secondsToDecide(random);
  const early = late + Math.floor((COOKIE_WINDOW - late) * random.unit() ** 2);
  const wasFirst = share === FIRST.share || (share === SPLIT.share && random.chance(0.5));
  const other = pageElsewhere(program, random);
  return {
    share,
    share_label,
    first_click: momentText(moment - early),
    last_click: momentText(moment - late),
    first_referer: wasFirst ? page : other,
    last_referer: wasFirst ? other : page,
  };
}

/** Seconds from the last click to the sale: mostly less than an hour, sometimes weeks. */
const secondsToDecide = (random: Random): number =>
  Math.min(Math.floor(30 + random.logNormal(25 * 60, 1.9)), COOKIE_WINDOW);
