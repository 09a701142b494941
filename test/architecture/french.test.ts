import { expect, test } from 'vitest';
import { filesUnder } from './source-files.ts';

const TEXTS = filesUnder('explorer/src/texts').filter(({ path }) => /\/fr(?:\/|\.ts$)/.test(path));

const withoutComments = (code: string): string =>
  code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');

/** A template literal that contains no string literal, or a string literal. */
const STRING = /`[^`']*`|'(?:[^'\\\n]|\\.)*'/g;

/** The contents of strings and templates, with `…` for values. */
const stringsIn = (code: string): readonly string[] =>
  (withoutComments(code).match(STRING) ?? []).map((text) => text.replaceAll(/\$\{[^}]*\}/g, '…'));

test('French texts have no-break spaces before colons, and inside quotation marks', () => {
  expect(TEXTS.length).toBeGreaterThan(5);
  const wrong = TEXTS.flatMap(({ text }) => stringsIn(text)).filter((text) =>
    / [:;?!»]|« /.test(text),
  );
  expect(wrong).toEqual([]);
});
