import { expect, test } from 'vitest';
import { asksForPart, chooseFile } from '../../../src/http/sending/kept-list.ts';

/** A kept file: the version of its rows, and the hash of its bytes. */
const fileOf = (rowsTag: string, hash: string, isOutdated = false) => ({
  isOutdated,
  facts: {
    rowsTag,
    hash,
    tag: `"${rowsTag}.${hash}"`,
    rows: undefined,
    next: undefined,
    changesAfter: undefined,
  },
});

const part = (headers: Record<string, string> = {}) => ({
  method: 'GET',
  headers: { range: 'bytes=0-9', ...headers },
});

test('without If-Range, a part comes from the file that was read last if all kept files have the same bytes', () => {
  const files = [fileOf('one', 'same'), fileOf('other', 'same')];
  expect(chooseFile(files, 'unknown', part())).toEqual({ kept: files[1], mayBePart: true });
  expect(chooseFile(files, 'one', part())).toEqual({ kept: files[1], mayBePart: true });
});

test('parts of files with different bytes are never mixed', () => {
  const files = [fileOf('old', 'a'), fileOf('new', 'b')];
  expect(chooseFile(files, 'new', part())).toEqual({ kept: files[1], mayBePart: false });
  expect(chooseFile(files, 'new', part({ 'if-range': '"old.a"' }))).toEqual({
    kept: files[0],
    mayBePart: true,
  });
});

test('only a reader that names an outdated file gets it', () => {
  const files = [fileOf('old', 'a', true)];
  expect(chooseFile(files, 'new', part())).toEqual({ kept: undefined, mayBePart: false });
  const named = part({ 'if-range': '"old.a"' });
  expect(chooseFile(files, 'new', named)).toEqual({ kept: files[0], mayBePart: true });
  // The tag of current rows was another one for a while.
  expect(chooseFile(files, 'old', part())).toEqual({ kept: files[0], mayBePart: true });
  const both = [...files, fileOf('new', 'b')];
  expect(chooseFile(both, 'new', part())).toEqual({ kept: both[1], mayBePart: true });
});

test('a request for the whole gets a kept file only if its rows are current', () => {
  const files = [fileOf('old', 'a')];
  const whole = { method: 'GET', headers: {} };
  expect(chooseFile(files, 'old', whole)).toEqual({ kept: files[0], mayBePart: false });
  expect(chooseFile(files, 'new', whole)).toEqual({ kept: undefined, mayBePart: false });
});

test.each([
  { range: 'bytes=0-1,4-5' },
  { range: 'rows=0-1' },
  { range: 'bytes=5-2' },
  { range: 'bytes=0-9', 'if-range': 'W/"old.a"' },
])('a request with %j gets the whole of the current rows, as without these headers', (headers) => {
  const request = { method: 'GET', headers };
  expect(chooseFile([fileOf('old', 'a')], 'new', request).kept).toBeUndefined();
});

test('If-Match: * names no file, so it does not permit a part of a new one', () => {
  const any = part({ 'if-match': '*' });
  expect(chooseFile([], 'new', any)).toEqual({ kept: undefined, mayBePart: false });
  const files = [fileOf('old', 'a'), fileOf('new', 'b')];
  expect(chooseFile(files, 'new', any)).toEqual({ kept: files[1], mayBePart: false });
});

test('only a GET with a range of bytes asks for a part', () => {
  expect(asksForPart(part())).toBe(true);
  expect(asksForPart(part({ range: 'bytes=-5' }))).toBe(true);
  expect(asksForPart({ ...part(), method: 'HEAD' })).toBe(false);
  for (const range of ['items=0-1', 'bytes=0-1,4-5', 'bytes', ''])
    expect(asksForPart(part({ range }))).toBe(false);
  expect(asksForPart({ method: 'GET', headers: {} })).toBe(false);
});
