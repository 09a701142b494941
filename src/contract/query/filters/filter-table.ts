/** The table of filters: each line defines a filter by the field of the same name, and its exclusion. */

import type { FieldLine, FieldType } from '../../record/fields.ts';
import { statusNamed } from '../../record/labels.ts';
import { STATUS_TEXTS, STATUSES_HINT } from '../../record/statuses.ts';
import {
  arraySchema,
  COUNTRY_SCHEMA as country,
  IDENTIFIER_SCHEMA as identifier,
  type Schema,
  TEXT_SCHEMA as text,
  wordSchema,
} from '../parameter-schemas.ts';
import { readCountries, readIdentifiers, readSomeOf, readText } from '../parameter-values.ts';

interface FilterLine<Value> {
  /** The transactions that it selects, as a text after "Only" or "All except". */
  readonly selects: string;
  /** A comma is part of a value, so several values need a repeated parameter. */
  readonly repeats?: true;
  readonly example: string;
  readonly schema: Schema;
  readonly read: (text: string) => readonly Value[];
}

type LinesOf<Type extends FieldType, Value> = {
  readonly [Field in Extract<FieldLine, { type: Type }>['name']]?: FilterLine<Value>;
};

// biome-ignore format: one filter a line
export const FILTER_TABLE = {
  program_id: { selects: 'these programs', example: '12', schema: arraySchema(identifier), read: readIdentifiers },
  publisher_id: { selects: 'these publishers (for affiliates: websites)', example: '345', schema: arraySchema(identifier), read: readIdentifiers },
  status: { selects: `transactions with these statuses (${STATUSES_HINT})`, example: '1,2', schema: arraySchema(wordSchema(STATUS_TEXTS)), read: readSomeOf(STATUS_TEXTS, { meaning: STATUSES_HINT, synonym: statusNamed }) },
  transaction_id: { selects: 'these transactions', example: '1001', schema: arraySchema(identifier), read: readIdentifiers },
  orderid: { selects: 'transactions of these orders', example: '90210', schema: arraySchema(identifier), read: readIdentifiers },
  clickid: { selects: 'transactions with these click identifiers', repeats: true, example: 'c0ffee', schema: arraySchema(text), read: readText },
  subid: { selects: 'transactions with these sub ids', repeats: true, example: 'newsletter', schema: arraySchema(text), read: readText },
  country: { selects: 'transactions from these countries (ISO 3166-1 alpha-2)', example: 'FR,BE', schema: arraySchema(country), read: readCountries },
  device_type: { selects: 'transactions from these types of devices', repeats: true, example: 'mobile', schema: arraySchema(text), read: readText },
} as const satisfies LinesOf<'integer', number> & LinesOf<'text' | 'word' | 'country' | 'status', string>;
