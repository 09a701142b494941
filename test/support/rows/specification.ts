/** The fields of both records from the specification: the only copy besides the table of fields. */

type SpecifiedType = 'int' | 'float' | 'string';

export type SpecifiedLine = readonly [name: string, type: SpecifiedType];

export const SPECIFIED = {
  // biome-ignore format: the lines of the specification
  admin: [
    ['transaction_id', 'int'], ['program_id', 'int'], ['publisher_id', 'int'],
    ['support_id', 'int'], ['invoice_id', 'string'], ['payment_id', 'string'],
    ['remu_program', 'float'], ['remu_publisher', 'float'], ['ip_address', 'string'],
    ['pid', 'string'], ['clickid', 'string'], ['subid', 'string'], ['token', 'string'],
    ['total', 'int'], ['orderid', 'int'], ['userid', 'int'], ['target', 'string'],
    ['amount', 'float'], ['coupon', 'string'], ['share', 'int'], ['share_label', 'string'],
    ['first_click', 'string'], ['last_click', 'string'], ['first_referer', 'string'],
    ['last_referer', 'string'], ['country', 'string'], ['device_type', 'string'],
    ['device_os', 'string'], ['browser', 'string'], ['referer', 'string'], ['status', 'string'],
    ['status_label', 'string'], ['validation_date', 'string'], ['created_at', 'string'],
    ['updated_at', 'string'],
  ],
  // biome-ignore format: the lines of the specification
  affiliate: [
    ['transaction_id', 'int'], ['program_id', 'int'], ['publisher_id', 'int'],
    ['support_id', 'int'], ['payment_id', 'string'], ['remuneration', 'float'], ['total', 'int'],
    ['ip_address', 'string'], ['clickid', 'string'], ['subid', 'string'], ['token', 'string'],
    ['country', 'string'], ['device_type', 'string'], ['device_os', 'string'],
    ['browser', 'string'], ['status', 'string'], ['status_label', 'string'],
    ['validation_date', 'string'], ['created_at', 'string'], ['updated_at', 'string'],
  ],
} as const satisfies Record<string, readonly SpecifiedLine[]>;

/** Fields that apply to some kinds only. */
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

/** Fields that are never null. */
export const SPECIFIED_REQUIRED = [
  'transaction_id',
  'program_id',
  'publisher_id',
  'support_id',
  'status',
  'status_label',
  'created_at',
  'updated_at',
] as const;
