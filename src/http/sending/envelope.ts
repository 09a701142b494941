/** What goes around the records of an answer: only what was read to its end gets its ending. */

import { assertNever } from '../../contract/assert-never.ts';
import { csvHeader, EXCEL_CSV, PLAIN_CSV } from '../../plan/csv-rendering.ts';
import { textFormOf } from '../../plan/form.ts';
import type { Presentation } from '../../plan/report-plan.ts';

export interface Envelope {
  /** Goes before the first record. */
  readonly before: string;
  /** Makes the first block the beginning of the answer, in place. */
  readonly open: (firstBlock: Uint8Array) => Uint8Array;
  readonly end: string;
  /** An answer without records. */
  readonly empty: string;
}

const OPENING = '['.charCodeAt(0);

/** Turns the comma before the first record into the opening bracket. */
function openArray(firstBlock: Uint8Array): Uint8Array {
  firstBlock[0] = OPENING;
  return firstBlock;
}

const JSON_ARRAY: Envelope = { before: '', open: openArray, end: '\n]\n', empty: '[]\n' };

/** Each line begins with its end of line, the first one with none. */
const JSON_LINES: Envelope = {
  before: '',
  open: (firstBlock) => firstBlock.subarray(1),
  end: '\n',
  empty: '',
};

const csv = (header: string): Envelope => ({
  before: header,
  open: (firstBlock) => firstBlock,
  end: '',
  empty: header,
});

/** How the records of a plan are wrapped that goes out as text. */
export function envelopeOf(plan: Presentation): Envelope {
  const { fields } = plan;
  const form = textFormOf(plan);
  switch (form) {
    case 'json':
      return JSON_ARRAY;
    case 'ndjson':
      return JSON_LINES;
    case 'csv':
      return csv(csvHeader(fields, PLAIN_CSV));
    case 'excel':
      return csv(csvHeader(fields, EXCEL_CSV));
    default:
      return assertNever(form);
  }
}
