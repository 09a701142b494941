/** The table of query parameters: what each means, and how its text is read. */

import { isCalendarDate } from './calendar.ts';
import { KINDS, type Kind } from './kinds.ts';
import { suggestionFor } from './suggestion.ts';

/** Thrown by a parameter's reader: why its text is refused and what would be right. */
export class InvalidValue extends Error {}

export interface Parameter<Value> {
  readonly required: boolean;
  readonly meaning: string;
  readonly example: string;
  /** JSON Schema of the text. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The value of the text, which is never empty; throws {@link InvalidValue}. */
  readonly read: (text: string) => Value;
}

const IDENTIFIER = /^(0|[1-9]\d{0,15})$/;

function readKind(text: string): Kind {
  const kind = KINDS.find((known) => known === text);
  if (kind !== undefined) return kind;
  const known = KINDS.map((name) => `"${name}"`).join(', ');
  throw new InvalidValue(`Must be one of ${known}.${suggestionFor(text, KINDS)}`);
}

function readDate(text: string): string {
  if (isCalendarDate(text)) return text;
  throw new InvalidValue('Must be a date that exists, written YYYY-MM-DD.');
}

function readIdentifier(text: string): number {
  const identifier = Number(text);
  if (IDENTIFIER.test(text) && Number.isSafeInteger(identifier)) return identifier;
  throw new InvalidValue(
    `Must be one identifier: digits only, at most ${Number.MAX_SAFE_INTEGER}.`,
  );
}

const date = { type: 'string', format: 'date' } as const;
const identifier = { type: 'string', pattern: IDENTIFIER.source } as const;

export const PARAMETERS = {
  type: {
    required: true,
    meaning: 'Kind of transactions to list',
    example: 'sales',
    schema: { type: 'string', enum: KINDS },
    read: readKind,
  },
  start_date: {
    required: true,
    meaning: "First day of the period, in the platform's time zone",
    example: '2026-01-01',
    schema: date,
    read: readDate,
  },
  end_date: {
    required: true,
    meaning: "Last day of the period, included, in the platform's time zone",
    example: '2026-01-31',
    schema: date,
    read: readDate,
  },
  program_id: {
    required: false,
    meaning: 'Only this program',
    example: '12',
    schema: identifier,
    read: readIdentifier,
  },
  publisher_id: {
    required: false,
    meaning: 'Only this publisher; for affiliates: only this website',
    example: '345',
    schema: identifier,
    read: readIdentifier,
  },
} as const satisfies Record<string, Parameter<unknown>>;

export type ParameterName = keyof typeof PARAMETERS;

export const PARAMETER_NAMES = Object.keys(PARAMETERS) as readonly ParameterName[];

export const isParameterName = (name: string): name is ParameterName =>
  Object.hasOwn(PARAMETERS, name);
