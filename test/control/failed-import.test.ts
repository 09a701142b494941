import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCommand } from '../support/programs/command.ts';
import { startService, type TestService } from '../support/requests/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => await service.close());

/** Counts how often the running service reads its database for a command, and how often it looks for imports. */
async function readsOf(...args: readonly string[]) {
  const { directory = '', engine } = service.database;
  const rows = vi.spyOn(engine, 'rows');
  const { code } = await runCommand([...args, '--database', `chdb:${directory}`], { directory });
  const texts = rows.mock.calls.map(([{ text }]) => text);
  rows.mockRestore();
  expect(code).toBe(0);
  return { all: texts.length, imports: texts.filter((text) => /import_ended/.test(text)).length };
}

test('of the commands, only `check` looks for a failed import in the audit log of a running service', async () => {
  const other = await readsOf('token', 'list');
  expect(other.all).toBeGreaterThan(0);
  expect(other.imports).toBe(0);
  expect((await readsOf('check')).imports).toBe(1);
});
