/** Parses the header `Range` (RFC 9110, 14.2): one range of bytes. */

export interface ByteRange {
  readonly first: number;
  /** Included. */
  readonly last: number;
}

/** One range of bytes. Requests for several ranges or for other units get the whole file, as the RFC allows. */
const RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The range of a file of `size` bytes; `whole` if the header must be ignored, `unsatisfiable` if the file
 * has none of these bytes.
 */
export function byteRange(header: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = RANGE.exec(header) ?? [];
  if (first === '' && last === '') return 'whole';
  const [from, to] =
    first === '' ? [Math.max(0, size - Number(last)), size - 1] : [Number(first), end(last, size)];
  if (first !== '' && last !== '' && Number(last) < from) return 'whole';
  return from <= to ? { first: from, last: to } : 'unsatisfiable';
}

const end = (last: string, size: number): number =>
  last === '' ? size - 1 : Math.min(Number(last), size - 1);
