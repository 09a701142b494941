/** SQL of framed rows: the pieces of each row's text behind a header with their length. */

import { join, raw, type Sql, sql } from './sql.ts';

/**
 * The columns of a framed row: 16 bytes in little-endian order, which are the length in bytes and the
 * date as UInt32 and the identifier as UInt64, and then the pieces.
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
