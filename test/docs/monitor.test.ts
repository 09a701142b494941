import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { IMPORT_OUTCOMES, type ImportOutcome } from '../../src/audit/audit-events.ts';
import { METRICS } from '../../src/metrics/metric-table.ts';
import { freePort } from '../support/programs/free-port.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { missingOf, skipped } from '../support/programs/programs.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const RULES = 'docs/monitoring/alert-rules.yaml';
const DASHBOARD = 'docs/monitoring/grafana-dashboard.json';

const textOf = async (path: string) => await readFile(join(root, path), 'utf8');

// Only in the full run. In `npm test`, admin/metrics.test.ts serves the metrics.
test.runIf(IS_FULL)('the commands serve the health and the metrics', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'monitor-'));
  await provideNpx(folder);
  const page = (await commandsOf('docs/how-to/monitor.md')).replaceAll(
    '9464',
    `${await freePort()}`,
  );
  const script = `export PORT=0\n${page}\nkill %1; wait`;
  const { status, stdout, stderr } = await runScript(script, folder);
  await rm(folder, { recursive: true, force: true });
  expect([status, stdout], stderr).toEqual([0, '{"status":"ready"}\ntransactions_database_up 1\n']);
});

/** The metrics that a text names. For a histogram, suffixes of its samples are removed, such as `_bucket`. */
function metricsIn(text: string): readonly string[] {
  const names = [...text.matchAll(/\b(?:transactions|process)_[a-z_]+/g)].map(([name]) => name);
  const histogram = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
  const plain = names.map((name) =>
    Object.hasOwn(METRICS, histogram(name)) ? histogram(name) : name,
  );
  return [...new Set(plain)].sort();
}

test('every metric in the alert rules and on the page exists', async () => {
  for (const path of [RULES, 'docs/how-to/monitor.md']) {
    const unknown = metricsIn(await textOf(path)).filter((name) => !Object.hasOwn(METRICS, name));
    expect(unknown, path).toEqual([]);
  }
});

const IS_ALERT = {
  imported: false,
  refused: true,
  failed: true,
  disk_full: true,
  aborted: false,
} as const satisfies Record<ImportOutcome, boolean>;

test('an alert reports imports that were refused or failed, and none that its user aborted', async () => {
  const [, results] =
    /transactions_imports_total\{result=~"([^"]+)"/.exec(await textOf(RULES)) ?? [];
  const expected = IMPORT_OUTCOMES.filter((outcome) => IS_ALERT[outcome]);
  expect(results?.split('|')).toEqual(expected);
});

test('the help of the metric of imports names every outcome', () => {
  const { help } = METRICS.transactions_imports_total;
  expect(IMPORT_OUTCOMES.filter((outcome) => !help.includes(outcome))).toEqual([]);
});

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

test('the dashboard shows every metric except four, and no unknown one', async () => {
  const { panels } = JSON.parse(await textOf(DASHBOARD)) as { panels: readonly Panel[] };
  const shown = metricsIn(
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'),
  );
  const facts = [
    'process_start_time_seconds',
    'transactions_build_info',
    'transactions_database_up',
    'transactions_disk_size_bytes',
  ];
  const expected = Object.keys(METRICS).filter((name) => !facts.includes(name));
  expect(shown).toEqual(expected.sort());
});

const missing = missingOf('promtool');

test.skipIf(missing.length > 0)(`promtool accepts the alert rules${skipped(missing)}`, async () => {
  const { status, stdout, stderr } = await runScript(`promtool check rules ${RULES}`, root);
  expect(status, stdout + stderr).toBe(0);
});
