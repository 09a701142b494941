/** Format of a report: the one that the parameters name, else the best one for `Accept` (RFC 9110, 12.5.1). */

import Negotiator from 'negotiator';
import { Problem } from '../../contract/problems/problems.ts';
import {
  FORMAT_NAMES,
  FORMATS,
  type Format,
  type FormatName,
} from '../../contract/query/formats.ts';
import type { ListQuery } from '../../contract/query/query.ts';
import { type Form, isCsvVariant } from '../../plan/form.ts';

/** Throws the problem `not_acceptable` if the client accepts none of the formats. */
export function reportFormat(
  { csv, format }: Pick<ListQuery, 'csv' | 'format'>,
  accept: string | undefined,
  formats: readonly FormatName[] = FORMAT_NAMES,
): Form {
  return csv ?? format ?? acceptedFormat(accept, formats);
}

const FORMAT_OF_TYPE: ReadonlyMap<string, FormatName> = new Map(
  FORMAT_NAMES.flatMap((name) => typesOf(FORMATS[name]).map((type) => [type, name] as const)),
);

function typesOf({ mediaType, aliases }: Format): readonly string[] {
  return [mediaType.split(';', 1)[0] ?? '', ...aliases];
}

const ANY = '*/*';

function acceptedFormat(accept = ANY, formats: readonly FormatName[]): FormatName {
  const [first] = formats;
  if (first !== undefined && accept === ANY) return first;
  const types = formats.flatMap((name) => typesOf(FORMATS[name]));
  const [best] = new Negotiator({ headers: { accept: plainRanges(accept) } }).mediaTypes(types);
  const format = best === undefined ? undefined : FORMAT_OF_TYPE.get(best);
  if (format !== undefined) return format;
  const media = formats.map((name) => typesOf(FORMATS[name])[0]);
  throw new Problem('not_acceptable', { hint: `The supported formats are ${media.join(', ')}.` });
}

/** Removes the parameters of media ranges, apart from the weight: each type has one variant only. */
const plainRanges = (accept: string): string =>
  accept.replaceAll(/;\s*(?!q\s*=)[\w!#$&^.+-]+\s*=\s*("[^"]*"|[^\s;,"]*)/gi, '');

/** The format that a form belongs to: a variant of CSV is CSV. */
export const formatOf = (form: Form): Format => FORMATS[isCsvVariant(form) ? 'csv' : form];
