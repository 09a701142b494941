import { expect, test } from 'vitest';
import { filesUnder, type SourceFile } from './source-files.ts';

const CLIENT = ['client/src', 'client/scripts'];

const EVERYTHING = filesUnder('src', 'test', 'docs', 'explorer', ...CLIENT);

function linesWith(files: readonly SourceFile[], wrong: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (wrong.test(line) ? [`${path}:${at + 1} ${line}`] : [])),
  );
}

test('the explorer calls no function that its oldest browsers lack', () => {
  const newer =
    /\bURL\.parse\(|\b(?:Promise\.try|RegExp\.escape|Iterator\.from)\(|\.(?:toBase64|fromBase64)\(/;
  expect(linesWith(filesUnder('explorer/src', 'client/src'), newer)).toEqual([]);
});

test('no file mentions a package registry', () => {
  expect(linesWith(EVERYTHING, /\bregistry\.[a-z0-9]|\bnpmjs\.[a-z]|\bnpm\.pkg\.[a-z]/i)).toEqual(
    [],
  );
});

test('no file contains a path of its author’s machine', () => {
  const path = /(?<![\w.~-])\/(?:work|home|root|Users)\/[\w.]|\b[A-Z]:\\Users/;
  expect(linesWith(EVERYTHING, path)).toEqual([]);
});

test('the code explains itself without pointing to an issue', () => {
  // valibot calls the faults of a value its `.issues`.
  const pointer = /(?<!\.)\bissues?\b|\btickets?\b|\(#\d+\)|\bpull requests?\b/i;
  expect(linesWith(filesUnder('src', ...CLIENT), pointer)).toEqual([]);
});

test('no file contains a to-do mark', () => {
  // Split, so that a search for such marks does not find this test.
  const marks = ['TO_DO', 'FIX_ME', 'X_XX'].map((mark) => mark.replace('_', '')).join('|');
  // The bytes of a picture can contain such a mark by chance.
  const texts = filesUnder('src', 'docs', ...CLIENT).filter(({ path }) => !path.endsWith('.png'));
  expect(linesWith(texts, new RegExp(`\\b(?:${marks})\\b`))).toEqual([]);
});
