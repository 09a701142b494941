/** Cuts CSV (RFC 4180) into rows with the numbers of their lines; a broken row spoils no other. */

interface CsvRow {
  /** The line at which it begins. */
  readonly line: number;
  /** The row as it is written. */
  readonly text: string;
  /** Absent where the row breaks the rules of quoting. */
  readonly cells?: readonly string[];
}

/** A quote that is still open after so many characters is a stray one. */
const LONGEST_ROW = 1_048_576;

/** All rows that are not empty; lines are given without their line feeds, and let go of at the end. */
export async function* csvRows(
  lines: AsyncIterator<string>,
  delimiter: string,
): AsyncGenerator<CsvRow> {
  try {
    yield* rowsOf(new LinesAhead(lines), delimiter);
  } finally {
    await lines.return?.();
  }
}

async function* rowsOf(ahead: LinesAhead, delimiter: string): AsyncGenerator<CsvRow> {
  for (let line = 1; ; ) {
    const first = await ahead.at(0);
    if (first === undefined) return;
    const row = new RowReader(delimiter);
    let text = first;
    let used = 1;
    for (let next: string | undefined = first; row.read(next) === 'open'; used += 1) {
      next = text.length < LONGEST_ROW ? await ahead.at(used) : undefined;
      if (next === undefined) break;
      text += `\n${next}`;
    }
    // After a broken row its own first line is left out, and whatever was taken into it is read again.
    const isWhole = row.state === 'ended';
    if (isWhole && text.trim() !== '') yield { line, text, cells: row.cells };
    if (!isWhole) yield { line, text: first };
    ahead.drop(isWhole ? used : 1);
    line += isWhole ? used : 1;
  }
}

/** The cells of one line, or nothing where it breaks the rules. */
export function csvCells(line: string, delimiter: string): readonly string[] | undefined {
  const row = new RowReader(delimiter);
  return row.read(line) === 'ended' ? row.cells : undefined;
}

/** Lines that can be looked at before they are used up. */
class LinesAhead {
  readonly #lines: AsyncIterator<string>;
  #read: string[] = [];
  #start = 0;

  constructor(lines: AsyncIterator<string>) {
    this.#lines = lines;
  }

  async at(place: number): Promise<string | undefined> {
    while (this.#read.length <= this.#start + place) {
      const { done, value } = await this.#lines.next();
      if (done) return undefined;
      this.#read.push(value);
    }
    return this.#read[this.#start + place];
  }

  drop(count: number): void {
    this.#start += count;
    // Half at a time, so that each line is moved once on average.
    if (2 * this.#start < this.#read.length) return;
    this.#read = this.#read.slice(this.#start);
    this.#start = 0;
  }
}

/** Reads one row, line by line. */
class RowReader {
  readonly cells: string[] = [];
  state: 'open' | 'ended' | 'broken' = 'ended';
  readonly #delimiter: string;
  #cell = '';

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Reads a line; the row is open where a quoted cell goes on in the next one. */
  read(line: string): 'open' | 'ended' | 'broken' {
    const end = line.endsWith('\r') ? line.length - 1 : line.length;
    let at: number | undefined = this.state === 'open' ? this.#quoted(line, 0, end) : 0;
    while (at !== undefined) {
      at = line[at] === '"' ? this.#quoted(line, at + 1, end) : this.#plain(line, at, end);
    }
    return this.state;
  }

  /** Reads on in a quoted cell; gives the place of the next cell where there is one in this line. */
  #quoted(line: string, from: number, end: number): number | undefined {
    let start = from;
    let quote = line.indexOf('"', start);
    while (quote !== -1 && line[quote + 1] === '"') {
      this.#cell += line.slice(start, quote + 1);
      start = quote + 2;
      quote = line.indexOf('"', start);
    }
    if (quote === -1) {
      this.#cell += `${line.slice(start)}\n`;
      this.state = 'open';
      return undefined;
    }
    let after = quote + 1;
    while (line[after] === ' ' || line[after] === '\t') after += 1;
    return this.#endCell(line, after, end, this.#cell + line.slice(start, quote));
  }

  #plain(line: string, from: number, end: number): number | undefined {
    const found = line.indexOf(this.#delimiter, from);
    const after = found === -1 ? end : found;
    const cell = line.slice(from, after);
    return this.#endCell(line, cell.includes('\r') ? -1 : after, end, cell);
  }

  #endCell(line: string, after: number, end: number, cell: string): number | undefined {
    this.cells.push(cell);
    this.#cell = '';
    this.state = after === end ? 'ended' : line[after] === this.#delimiter ? 'ended' : 'broken';
    return after !== end && this.state === 'ended' ? after + 1 : undefined;
  }
}
