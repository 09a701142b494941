/** Whether the values of a column can be those of a field. */

import { isIP } from 'node:net';
import { assertNever } from '../../contract/assert-never.ts';
import type { FieldType } from '../../contract/record/fields.ts';
import { NULL_TEXTS } from '../checks/text-columns.ts';
import { isDate } from '../dialect/date-notation.ts';
import { numberEvidence } from '../dialect/number-notation.ts';

export const isNull = (text: string): boolean => NULL_TEXTS.includes(text);

const INTEGER = /^\d{1,16}$/;

export function fitsType(type: FieldType, text: string): boolean {
  switch (type) {
    case 'integer':
      return INTEGER.test(text.replaceAll(/[ \u00A0\u2009\u202F]/g, ''));
    case 'decimal':
      return numberEvidence(text) !== undefined;
    case 'date':
      return isDate(text);
    case 'address':
      return isIP(text) !== 0;
    case 'country':
      return /^[A-Za-z]{2}$/.test(text);
    case 'text':
    case 'word':
    case 'status':
    case 'status_label':
      return true;
    default:
      return assertNever(type);
  }
}
