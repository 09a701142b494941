import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder, type SourceFile } from './source-files.ts';

/** The modules to check. client/src/openapi.ts is left out, because it is generated from the OpenAPI document. */
const SOURCES = filesUnder('src', 'client/src', 'client/scripts', 'explorer/src').filter(
  ({ path }) => path !== 'client/src/openapi.ts' && !path.endsWith('.css'),
);

const MAX_LINES = 200;

const pathsOf = (isWrong: (file: SourceFile) => boolean): readonly string[] =>
  SOURCES.filter(isWrong).map(({ path }) => path);

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');

/** The first paragraph of the comment that a text begins with. */
function openingOf(text: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '';
  const paragraphs = comment.replaceAll(/^ \* ?/gm, '').split(/\n\s*\n/);
  return (paragraphs[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}

const isOneSentence = (text: string): boolean => /^\S.*\.$/.test(text) && !/[.!?] [A-Z]/.test(text);

test('there are modules to check', () => {
  expect(SOURCES.length).toBeGreaterThan(50);
});

test(`no module is longer than ${MAX_LINES} lines`, () => {
  expect(pathsOf(({ text }) => text.trimEnd().split('\n').length > MAX_LINES)).toEqual([]);
});

test('every module and folder has a name in kebab case', () => {
  expect(
    pathsOf(({ path }) => !/^(src|client|explorer)(\/[a-z0-9]+(-[a-z0-9]+)*)+\.tsx?$/.test(path)),
  ).toEqual([]);
});

const MAX_FILES = 15;

test(`no folder has more than ${MAX_FILES} files, apart from subfolders`, () => {
  const folders = Map.groupBy(
    filesUnder('src', 'test', 'scripts', 'explorer/src', 'client/src'),
    ({ path }) => dirname(path),
  );
  const crowded = [...folders].filter(([, files]) => files.length > MAX_FILES);
  expect(crowded.map(([folder]) => folder)).toEqual([]);
});

test('every property-based test uses the seed of the run', () => {
  const importing = filesUnder('test').filter(({ text }) =>
    /^import .* from 'fast-check'/m.test(text),
  );
  expect(importing.map(({ path }) => path)).toEqual(['test/support/run/properties.ts']);
});

/** Words that do not say what a module does. */
const EMPTY_WORDS = /(?:^|-)(?:data|handle|handler|process|manager|utils?|helpers?)(?:-|$)/;

test('no module or folder has a meaningless name', () => {
  const parts = (path: string) => path.replace(/\.tsx?$/, '').split('/');
  expect(pathsOf(({ path }) => parts(path).some((part) => EMPTY_WORDS.test(part)))).toEqual([]);
});

test('every module opens with one sentence that says what it does', () => {
  expect(pathsOf(({ text }) => !isOneSentence(openingOf(text)))).toEqual([]);
});

test('no module has a default export', () => {
  expect(pathsOf(({ text }) => /\bexport default\b|\bas default\b/.test(text))).toEqual([]);
});

test('no type is any', () => {
  const isAny = /(?:[:<|&(,]|\bas|=>)\s*any\s*(?:[[\]>;,)|&={]|$)/m;
  expect(pathsOf(({ text }) => isAny.test(withoutComments(text)))).toEqual([]);
});

test('no check of the compiler or the linter is switched off', () => {
  const off = /@ts-(?:ignore|expect-error|nocheck)|biome-ignore(?:-all|-start)? lint/;
  expect(pathsOf(({ text }) => off.test(text))).toEqual([]);
});
