/** The two records word for word as the specification lists them: what our own table is held against. */

export type SpecifiedType = 'int' | 'float' | 'string';

// biome-ignore format: the lines of the specification
export const SPECIFIED_ADMIN: readonly (readonly [name: string, type: SpecifiedType])[] = [
  ['transaction_id', 'int'], ['program_id', 'int'], ['publisher_id', 'int'], ['support_id', 'int'],
  ['invoice_id', 'string'], ['payment_id', 'string'], ['remu_program', 'float'],
  ['remu_publisher', 'float'], ['ip_address', 'string'], ['pid', 'string'], ['clickid', 'string'],
  ['subid', 'string'], ['token', 'string'], ['total', 'int'], ['orderid', 'int'], ['userid', 'int'],
  ['target', 'string'], ['amount', 'float'], ['coupon', 'string'], ['share', 'int'],
  ['share_label', 'string'], ['first_click', 'string'], ['last_click', 'string'],
  ['first_referer', 'string'], ['last_referer', 'string'], ['country', 'string'],
  ['device_type', 'string'], ['device_os', 'string'], ['browser', 'string'], ['referer', 'string'],
  ['status', 'string'], ['status_label', 'string'], ['validation_date', 'string'],
  ['created_at', 'string'], ['updated_at', 'string'],
];

// biome-ignore format: the lines of the specification
export const SPECIFIED_AFFILIATE: readonly (readonly [name: string, type: SpecifiedType])[] = [
  ['transaction_id', 'int'], ['program_id', 'int'], ['publisher_id', 'int'], ['support_id', 'int'],
  ['payment_id', 'string'], ['remuneration', 'float'], ['total', 'int'], ['ip_address', 'string'],
  ['clickid', 'string'], ['subid', 'string'], ['token', 'string'], ['country', 'string'],
  ['device_type', 'string'], ['device_os', 'string'], ['browser', 'string'], ['status', 'string'],
  ['status_label', 'string'], ['validation_date', 'string'], ['created_at', 'string'],
  ['updated_at', 'string'],
];

/** The kinds for which the specification gives a field a meaning; for others it has one for all. */
export const SPECIFIED_KINDS: Readonly<Record<string, readonly string[]>> = {
  total: ['impressions', 'clics', 'dbclicks'],
  orderid: ['leads', 'sales'],
  userid: ['leads', 'sales'],
  target: ['leads', 'sales'],
  amount: ['sales'],
  coupon: ['sales'],
  share: ['sales'],
  share_label: ['sales'],
  first_click: ['sales'],
  last_click: ['sales'],
  first_referer: ['sales'],
  last_referer: ['sales'],
};

export const SPECIFIED = { admin: SPECIFIED_ADMIN, affiliate: SPECIFIED_AFFILIATE } as const;
