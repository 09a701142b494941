/** Benchmark of the audit log: the CPU time of recording a line and writing it to the database and the file. */

import { join } from 'node:path';
import type { AuditLog } from '../src/audit/audit-log.ts';
import { openAuditLog } from '../src/audit/open-audit-log.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';

const LINES_PER_SECOND = 600;

/** Seconds for which lines are gathered before they are written to the database. */
const SECONDS = 5;

/** Writes to the file per second. */
const WRITES_PER_SECOND = 10;

const ROUNDS = 15;

export async function benchAudit(directory: string): Promise<readonly Line[]> {
  const url = `chdb:${join(directory, 'audit')}`;
  const database = await openDatabase({ url, timeZone: 'UTC' });
  const warnings = {
    warn: (_: object, message: string) => {
      throw new Error(message);
    },
  };
  const settings = { auditLog: join(directory, 'audit.log'), auditRetention: 13 };
  const audit = await openAuditLog(database, settings, warnings);
  try {
    await cpuPerLine(audit.log);
    const rounds: number[] = [];
    while (rounds.length < ROUNDS) rounds.push(await cpuPerLine(audit.log));
    return [
      {
        what: `Audit log in the database and in a file, ${LINES_PER_SECOND} lines a second: CPU time of a line (median)`,
        measured: `${median(rounds).toFixed(1)} µs`,
        against: `maximum: ${Math.max(...rounds).toFixed(1)} µs`,
      },
    ];
  } finally {
    await audit.close();
    await database.engine.close();
  }
}

/** Records as many lines as arrive in five seconds. Returns the microseconds of CPU time for each line. */
async function cpuPerLine(log: AuditLog): Promise<number> {
  const before = process.cpuUsage();
  for (let write = 0; write < SECONDS * WRITES_PER_SECOND; write += 1) {
    for (let line = 0; line < LINES_PER_SECOND / WRITES_PER_SECOND; line += 1) recordPage(log);
    await log.queues.file?.flush();
  }
  await log.flush();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (SECONDS * LINES_PER_SECOND);
}

/** Records the audit line of a request for a page with `limit=100`. */
function recordPage(log: AuditLog): void {
  const question = {
    report: 'list' as const,
    types: ['sales' as const],
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    date_field: 'created_at' as const,
    program_ids: 'all' as const,
    publisher_ids: [345],
    filters: { clickid: [log.hash('clickid', 'c0ffee')] },
    fields: null,
    group_by: [],
    order: 'asc' as const,
    sort: null,
    compare: null,
    limit: 100,
    is_later_page: false,
  };
  log.record(
    {
      event: 'report',
      details: {
        question,
        format: 'json',
        outcome: 'complete',
        status: 200,
        code: null,
        rows: 100,
        bytes: 47_382,
        ms: 2,
      },
    },
    {
      principal: 'tok_5Dn0xLq2',
      name: 'Nightly "export"; all',
      role: 'admin',
      client: '192.0.2.17',
      request_id: '0198c1f4-7a52-7d3e-9a41-52b0c0ffee00',
    },
  );
}
