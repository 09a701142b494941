/** Text before and after the records of a response; the end is sent only after all records. */

import { assertNever } from '../../contract/assert-never.ts';
import { textFormOf } from '../../plan/form.ts';
import type { Presentation } from '../../plan/list-plan.ts';
import { CSV_STYLES, csvHeader } from '../../plan/rendering/csv-style.ts';

export interface Envelope {
  /** Sent before the first record. */
  readonly before: string;
  /** Turns the first block into the start of the response, in place. */
  readonly open: (firstBlock: Uint8Array) => Uint8Array;
  readonly end: string;
  /** Whether a client can tell from the end that the response is complete. */
  readonly showsEnd: boolean;
  /** The whole response if there are no records. */
  readonly empty: string;
}

const OPENING = '['.charCodeAt(0);

/** Replaces the comma before the first record by the opening bracket. */
function openArray(firstBlock: Uint8Array): Uint8Array {
  firstBlock[0] = OPENING;
  return firstBlock;
}

const JSON_ARRAY: Envelope = {
  before: '',
  open: openArray,
  end: '\n]\n',
  showsEnd: true,
  empty: '[]\n',
};

/** The engine puts a line break before each record; the first one is removed. */
const JSON_LINES: Envelope = {
  before: '',
  open: (firstBlock) => firstBlock.subarray(1),
  end: '\n',
  showsEnd: false,
  empty: '',
};

const csv = (header: string): Envelope => ({
  before: header,
  open: (firstBlock) => firstBlock,
  end: '',
  showsEnd: false,
  empty: header,
});

/** The envelope of a text format. */
export function envelopeOf(plan: Presentation): Envelope {
  const { fields } = plan;
  const form = textFormOf(plan);
  switch (form) {
    case 'json':
      return JSON_ARRAY;
    case 'ndjson':
      return JSON_LINES;
    case 'csv':
    case 'excel':
    case 'excel-en':
      return csv(csvHeader(fields, CSV_STYLES[form]));
    default:
      return assertNever(form);
  }
}
