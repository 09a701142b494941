/** Reads the audit log of a test service. */

import { setTimeout as sleep } from 'node:timers/promises';
import { readLines } from '../../../src/audit/audit-table.ts';
import type { TestService } from './service.ts';

export interface Line {
  readonly event: string;
  readonly details: Record<string, unknown>;
  readonly [name: string]: unknown;
}

export const parsedLines = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** The lines in the database. */
export async function auditLines({ audit, database }: TestService): Promise<readonly Line[]> {
  await audit.flush();
  const texts = await Array.fromAsync(readLines(database.engine, { since: 0 }));
  return texts.map((text) => JSON.parse(text) as Line);
}

/** Waits for the line of a request, which is written after the response. */
export async function lineOf(service: TestService, requestId: string): Promise<Line> {
  const { log } = service;
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const line = (await auditLines(service)).find((one) => one.request_id === requestId);
    if (line !== undefined) return line;
    await sleep(20);
  }
  const warnings = log.filter((line) => line.includes('audit log'));
  throw new Error(`There is no line of ${requestId}: ${warnings.join('')}`);
}
