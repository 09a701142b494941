import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { storeValueHashes } from '../../src/erasure/erased-hashes.ts';
import { findMatches } from '../../src/erasure/find-matches.ts';
import type { Select } from '../../src/plan/select.ts';
import type { Bound, Statement } from '../../src/plan/sql.ts';
import { ONE_SERVER } from '../../src/schema/topology.ts';

/** Quotation marks are the longest characters in a URL. */
const VALUES = Array.from({ length: 6000 }, (_, at) => String(at).padStart(40, "'"));

const SELECTORS = [{ field: 'clickid', values: VALUES }] as const;

/** Records the statements. Every search finds the transaction 1 and another one. */
function recordingEngine() {
  const statements: Statement[] = [];
  const engine: Engine = Object.create({
    async rows<Row>(statement: Select<Row>) {
      const ids = [1000 - statements.push(statement), 1];
      return [v.parse(statement.row, { type: 'sales', month: 202601, ids })];
    },
    async execute(statement: Statement) {
      statements.push(statement);
    },
  });
  return { engine, statements };
}

const listed = (value: Bound['value']): readonly (number | string)[] =>
  typeof value === 'object' ? value : [value];

/** A parameter as the client sends it to a server. */
const textOf = (value: Bound['value']): string =>
  `[${listed(value).map((one) => `'${String(one).replaceAll("'", "\\'")}'`)}]`;

/** Servers refuse longer parameters and URLs. */
function expectAccepted({ values }: Statement): void {
  const texts = Object.values(values).map(textOf);
  for (const text of texts) expect(text.length).toBeLessThan(128 * 1024);
  const url = new URLSearchParams(texts.map((text, at) => [`param_p${at}`, text]));
  expect(url.toString().length).toBeLessThan(1024 * 1024);
}

test('all values of a long list are stored in statements that a server accepts', async () => {
  const { engine, statements } = recordingEngine();
  const nodes = { engine, servers: [engine], topology: ONE_SERVER };
  await storeValueHashes(nodes, { id: 'ab', mode: 'empty' }, SELECTORS);
  statements.forEach(expectAccepted);
  const stored = statements.flatMap(({ values }) => Object.values(values).flatMap(listed));
  expect(stored.filter((value) => value !== 'empty')).toEqual(VALUES);
});

test('a long list is searched in statements that a server accepts, and each match counts once', async () => {
  const { engine, statements } = recordingEngine();
  const matches = await findMatches(engine, SELECTORS);
  statements.forEach(expectAccepted);
  expect(statements.length).toBeGreaterThan(1);
  const others = statements.map((_, at) => 999 - at).reverse();
  expect(matches).toEqual([{ type: 'sales', month: 202601, ids: [1, ...others] }]);
});
