/** Splits CSV (RFC 4180) into rows with line numbers; after a malformed row it continues on the next line. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ImportRefused } from '../import-refused.ts';

interface CsvRow {
  /** The number of its first line. */
  readonly line: number;
  /** The original text of the row. */
  readonly text: string;
  /** Absent if the quoting is malformed. */
  readonly cells?: readonly string[];
}

/** Characters after which an open quote is treated as a stray one. */
const LONGEST_ROW = 1_048_576;

/** Lines between two turns of the event loop. Lines that are read again need no I/O, so requests would wait. */
const LINES_PER_TURN = 10_000;

/** Lines that may be read again: about two seconds of processor time. */
const MOST_REREAD = 5_000_000;

interface CsvReading {
  /** The file, for errors. */
  readonly name?: string;
  /** Lines that may be read again after malformed rows, beyond the lines of the file so far. */
  readonly mostReread?: number;
}

/**
 * All rows that are not blank. Takes lines without line feeds, and closes the iterator at the end. Throws an
 * ImportRefused if too many lines are read again, because quotes are never closed.
 */
export async function* csvRows(
  lines: AsyncIterator<string>,
  delimiter: string,
  reading: CsvReading = {},
): AsyncGenerator<CsvRow> {
  try {
    yield* rowsOf(new LinesAhead(lines, reading), delimiter);
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
    const isWhole = row.state === 'ended';
    // A row of several cells is not blank: in a file separated by tabs, a line of tabs has empty cells.
    const isBlank = row.cells.length === 1 && text.trim() === '';
    if (isWhole && !isBlank) yield { line, text, cells: row.cells };
    if (!isWhole) yield { line, text: first };
    // After a malformed row, reading continues with its second line.
    ahead.drop(isWhole ? used : 1);
    line += isWhole ? used : 1;
  }
}

/** The cells of one line; undefined if the line is malformed. */
export function csvCells(line: string, delimiter: string): readonly string[] | undefined {
  const row = new RowReader(delimiter);
  return row.read(line) === 'ended' ? row.cells : undefined;
}

/** A queue of lines with limited lookahead. */
class LinesAhead {
  readonly #lines: AsyncIterator<string>;
  readonly #name: string;
  readonly #mostReread: number;
  #read: string[] = [];
  #start = 0;
  /** How often a line was read. */
  #reads = 0;
  #dropped = 0;

  constructor(
    lines: AsyncIterator<string>,
    { name = 'The file', mostReread = MOST_REREAD }: CsvReading,
  ) {
    this.#lines = lines;
    this.#name = name;
    this.#mostReread = mostReread;
  }

  async at(place: number): Promise<string | undefined> {
    this.#reads += 1;
    if (this.#reads % LINES_PER_TURN === 0) await nextTurn();
    // Stray quotes alone end at the next quote, so they read each line twice at most.
    if (this.#reads - 2 * this.#dropped > this.#mostReread) throw this.#refusal();
    while (this.#read.length <= this.#start + place) {
      const { done, value } = await this.#lines.next();
      if (done) return undefined;
      this.#read.push(value);
    }
    return this.#read[this.#start + place];
  }

  #refusal(): ImportRefused {
    return new ImportRefused(
      `${this.#name}: has many quotes that are never closed, such as in line ${this.#dropped + 1}. Close each of them, and write a quote inside a value twice: "5"" disk".`,
    );
  }

  drop(count: number): void {
    this.#dropped += count;
    this.#start += count;
    // Compacting at half keeps the cost per line constant.
    if (2 * this.#start < this.#read.length) return;
    this.#read = this.#read.slice(this.#start);
    this.#start = 0;
  }
}

/** State machine that parses one row, line by line. */
class RowReader {
  readonly cells: string[] = [];
  state: 'open' | 'ended' | 'broken' = 'ended';
  readonly #delimiter: string;
  #cell = '';

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Parses a line; the state is `open` if a quoted cell continues on the next line. */
  read(line: string): 'open' | 'ended' | 'broken' {
    const end = line.endsWith('\r') ? line.length - 1 : line.length;
    let at: number | undefined = this.state === 'open' ? this.#quoted(line, 0, end) : 0;
    while (at !== undefined) {
      at = line[at] === '"' ? this.#quoted(line, at + 1, end) : this.#plain(line, at, end);
    }
    return this.state;
  }

  /** Continues a quoted cell; returns the start of the next cell in this line, if there is one. */
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
    while (this.#isBlank(line[after])) after += 1;
    return this.#endCell(line, after, end, this.#cell + line.slice(start, quote));
  }

  #isBlank = (character: string | undefined): boolean =>
    character === ' ' || (character === '\t' && this.#delimiter !== '\t');

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
