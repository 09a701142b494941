/** Reads the first rows of a response in NDJSON, up to a number of rows and bytes. */

export interface RowBounds {
  readonly rows: number;
  readonly bytes: number;
}

export interface BoundedRows {
  readonly rows: readonly unknown[];
  /** The response has more rows. */
  readonly hasMore: boolean;
}

/** Reads up to the first row that exceeds the bounds. Throws if the connection closes before the response ends. */
export async function readRows(
  body: AsyncIterable<Uint8Array>,
  { rows: maxRows, bytes: maxBytes }: RowBounds,
): Promise<BoundedRows> {
  const rows: unknown[] = [];
  let room = maxBytes;
  for await (const line of linesOf(body, maxBytes)) {
    room -= line.length;
    if (rows.length === maxRows || room < 0) return { rows, hasMore: true };
    rows.push(JSON.parse(line.toString()));
  }
  return { rows, hasMore: false };
}

const LINE_FEED = 10;

/** The lines without their line feeds. A line of more than `most` bytes may be cut short: stop reading there. */
async function* linesOf(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const block of body) {
    rest = Buffer.concat([rest, block]);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > most) yield rest;
  }
  if (rest.length > 0) yield rest;
}
