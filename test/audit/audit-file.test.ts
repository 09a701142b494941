import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AuditFile } from '../../src/audit/writing/audit-file.ts';
import { asBytes } from './lines-as-bytes.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-audit-'));
  path = join(directory, 'audit.log');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

const textOf = async (file = path) => await readFile(file, 'utf8');

test('only its owner reads the file, also if it existed with other rights', async () => {
  await writeFile(path, 'before\n', { mode: 0o644 });
  const file = new AuditFile(path);
  await file.append(asBytes('after'));
  await file.close();
  expect(await textOf()).toBe('before\nafter\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('after a rotation, lines go to a new file, and none is lost', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const file = new AuditFile(path);
  await file.append(asBytes('one'));
  await rename(path, `${path}.1`);
  await file.append(asBytes('two'));
  now += 10_000;
  await file.append(asBytes('three'));
  await file.close();
  expect(await textOf(`${path}.1`)).toBe('one\ntwo\n');
  expect(await textOf()).toBe('three\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a line that a killed process has left incomplete is ended first', async () => {
  await writeFile(path, '{"at":"2026');
  const file = new AuditFile(path);
  await file.append(asBytes('{}'));
  await file.close();
  expect(await textOf()).toBe('{"at":"2026\n{}\n');
});
