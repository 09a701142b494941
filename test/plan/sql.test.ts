import { expect, test } from 'vitest';
import { bind, join, literal, plainStatement, raw, sql, statementOf } from '../../src/plan/sql.ts';
import { fc } from '../support/run/properties.ts';

test('a value becomes a named parameter with its type', () => {
  expect(statementOf(sql`SELECT ${bind('UInt64', 7)} AS id`)).toEqual({
    text: 'SELECT {p1:UInt64} AS id',
    values: { p1: 7 },
  });
});

test('text without values becomes a statement unchanged', () => {
  expect(statementOf(sql`SELECT 1`)).toEqual({ text: 'SELECT 1', values: {} });
  expect(plainStatement('SELECT 1')).toEqual({ text: 'SELECT 1', values: {} });
});

test('parameters are numbered in order, through nested fragments', () => {
  const inner = sql`b = ${bind('String', 'two')} AND c = ${bind('String', 'three')}`;
  const outer = sql`a = ${bind('UInt8', 1)} AND (${inner}) AND d = ${bind('UInt8', 4)}`;
  expect(statementOf(outer)).toEqual({
    text: 'a = {p1:UInt8} AND (b = {p2:String} AND c = {p3:String}) AND d = {p4:UInt8}',
    values: { p1: 1, p2: 'two', p3: 'three', p4: 4 },
  });
});

test('fragments and values may be adjacent, and at both ends', () => {
  const touching = sql`${raw('a')}${bind('UInt8', 1)}${bind('UInt8', 2)}${raw('b')}`;
  expect(statementOf(touching).text).toBe('a{p1:UInt8}{p2:UInt8}b');
});

test('a fragment can be used twice, with different parameters for each use', () => {
  const piece = sql`${bind('UInt8', 5)}`;
  expect(statementOf(sql`${piece}, ${piece}`)).toEqual({
    text: '{p1:UInt8}, {p2:UInt8}',
    values: { p1: 5, p2: 5 },
  });
});

test('more than nine parameters keep their order', () => {
  const values = Array.from({ length: 12 }, (_, at) => at * 10);
  const pieces = values.map((value) => sql`${bind('UInt8', value)}`);
  const statement = statementOf(join(pieces, ','));
  expect(statement.text.split(',').at(-1)).toBe('{p12:UInt8}');
  expect(statement.values).toEqual(
    Object.fromEntries(values.map((value, at) => [`p${at + 1}`, value])),
  );
});

test('fragments are joined by a separator, and a single one has none', () => {
  const pieces = [sql`a = ${bind('UInt8', 1)}`, raw('b'), sql`c = ${bind('UInt8', 2)}`];
  expect(statementOf(join(pieces, ' AND ')).text).toBe('a = {p1:UInt8} AND b AND c = {p2:UInt8}');
  expect(statementOf(join([raw('b')], ' AND ')).text).toBe('b');
});

test('a statement is frozen', () => {
  const statement = statementOf(sql`${bind('UInt8', 1)}`);
  expect(Object.isFrozen(statement)).toBe(true);
  expect(Object.isFrozen(statement.values)).toBe(true);
});

/** Any code point except surrogates. fast-check's own character sets take seconds to build. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

test('any value is bound unchanged, and is never part of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (value) => {
      expect(statementOf(sql`SELECT ${bind('String', value)}`)).toEqual({
        text: 'SELECT {p1:String}',
        values: { p1: value },
      });
    }),
    { examples: [["'; DROP TABLE transactions --"], ['{p2:String}'], ['\\'], ['']] },
  );
});

test.each([
  ['', "''"],
  ['plain', "'plain'"],
  ["it's", "'it\\'s'"],
  ['a\\b', "'a\\\\b'"],
  ["\\'", "'\\\\\\''"],
  ['"', "'\"'"],
])('the literal of %j is %s', (text, quoted) => {
  expect(literal(text)).toBe(quoted);
});

test('a literal ends at its last quote, and parses to its text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '\\', '"', 'n', 'é', '\n') }), (text) => {
      const [, inside] = /^'((?:\\[\\']|[^\\'])*)'$/.exec(literal(text)) ?? [];
      expect(inside?.replaceAll(/\\([\\'])/g, '$1')).toBe(text);
    }),
  );
});
