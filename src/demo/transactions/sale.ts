/** A sale, and the clicks that led to it. */

import type { Random } from '../random/random.ts';
import { DAY, HOUR, momentText } from '../random/wall-clock.ts';
import { pickerOf } from '../random/weighted-picker.ts';
import type { DemoTransaction, Occasion } from './occasion.ts';
import { pageElsewhere } from './referers.ts';

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

/** An hour less than 30 days: the hour by which autumn's clocks go back. */
const COOKIE_WINDOW = 30 * DAY - HOUR;

/** `page` is the publisher's: the one of the click that earned them the sale. */
export function saleOf(occasion: Occasion, page: string | null, random: Random): SaleFields {
  const { commission, coupons } = occasion.program;
  const basket = commission.model === 'percentage' ? commission.basket : 0;
  return {
    amount: Math.round(random.logNormal(basket, 0.55) * 100) / 100,
    coupon: random.chance(0.28) ? random.oneOf(coupons) : null,
    ...(random.chance(0.55) ? oneClick : severalClicks)(occasion, page, random),
  };
}

type ClickFields = Omit<SaleFields, 'amount' | 'coupon'>;

function oneClick({ moment }: Occasion, page: string | null, random: Random): ClickFields {
  const click = momentText(moment - secondsToDecide(random));
  return {
    ...LAST,
    first_click: click,
    last_click: click,
    first_referer: page,
    last_referer: page,
  };
}

function severalClicks(occasion: Occasion, page: string | null, random: Random): ClickFields {
  const { moment, program } = occasion;
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

/** From the last click to the sale: mostly within the hour, at times weeks. */
const secondsToDecide = (random: Random): number =>
  Math.min(Math.floor(30 + random.logNormal(25 * 60, 1.9)), COOKIE_WINDOW);
