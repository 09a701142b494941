/** Formats lines of the audit log as JSON lines, CSV or a table. */

import * as v from 'valibot';
import { ACTOR, AUDIT_LINE } from '../../audit/audit-line.ts';
import { escapedFormula } from '../../plan/rendering/csv-style.ts';
import { readJson } from '../../read-json.ts';
import { csvLine } from './csv-line.ts';
import { printableLine } from './printable.ts';
import { textTable } from './text-table.ts';

export const AUDIT_FORMATS = ['table', 'json', 'csv'] as const;

export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/** A line. In a search for a person, `match` says why the line was found. */
const LINE = v.object({ ...AUDIT_LINE.entries, match: v.optional(v.string()) });

type Line = v.InferOutput<typeof LINE>;

export async function* auditText(
  lines: AsyncIterable<string>,
  format: AuditFormat,
): AsyncGenerator<string> {
  switch (format) {
    case 'json':
      for await (const line of lines) yield `${line}\n`;
      return;
    case 'csv':
      yield csvLine(CSV_COLUMNS);
      for await (const line of lines)
        yield csvLine(csvCells(readJson(LINE, line)).map(escapedFormula));
      return;
    case 'table': {
      const parsed = await Array.fromAsync(lines, (line) => readJson(LINE, line));
      yield parsed.length === 0 ? 'No events match.\n' : `${textTable(parsed.map(row))}\n`;
    }
  }
}

const CSV_COLUMNS = ['at', 'id', 'event', ...Object.keys(ACTOR), 'match', 'details'];

const csvCells = (line: Line): readonly string[] => [
  line.at,
  line.id,
  line.event,
  line.principal ?? '',
  line.name ?? '',
  line.role ?? '',
  line.client ?? '',
  line.request_id ?? '',
  line.match ?? '',
  JSON.stringify(line.details),
];

const row = (line: Line) => ({
  at: line.at,
  event: line.match ?? line.event,
  principal: printableLine(line.principal ?? ''),
  name: printableLine(line.name ?? ''),
  client: printableLine(line.client ?? ''),
  details: printableLine(JSON.stringify(line.details)),
});
