/** SQL of framed rows: each row's text in pieces, after a header with their total length. */

import { join, raw, type Sql, sql } from './sql.ts';

/**
 * The columns of a framed row: a header of 16 bytes, then the pieces. The header has, in little-endian order,
 * the length of the pieces in bytes and the date as UInt32, and the identifier as UInt64.
 */
export function framedPieces(pieces: readonly Sql[], date: string, identifier: string): Sql {
  const named = pieces.map((piece, at) => sql`${piece} AS ${raw(`piece_${at}`)}`);
  const length = pieces.map((_, at) => `length(piece_${at})`).join(' + ');
  const header = [
    asBytes('UInt32', length),
    asBytes('UInt32', date),
    asBytes('UInt64', identifier),
  ];
  return sql`${raw(header.join(', '))},
  ${join(named, ', ')}`;
}

const asBytes = (type: string, value: string): string =>
  `reinterpretAsFixedString(to${type}(${value}))`;
