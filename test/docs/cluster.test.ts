import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { filesUnder } from '../architecture/source-files.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { CLUSTER, ClickHouseCluster } from '../support/servers/clickhouse-cluster.ts';
import { ClickHouseServer } from '../support/servers/clickhouse-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let directory: string;
let page: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cluster-page-'));
  page = await readFile(join(root, 'docs/how-to/run-on-a-cluster.md'), 'utf8');
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

/** The server configuration that the page shows. */
const shownConfiguration = () => /```xml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

test('the page shows the configuration of the servers of compose.yaml', async () => {
  const file = await readFile(join(root, 'docs/deployment/cluster.xml'), 'utf8');
  expect(shownConfiguration()).toBe(file);
});

/** Every user may read the first three. Without the right to read the last, one metric is missing. */
const NEED_NO_GRANT = ['system.columns', 'system.settings', 'system.tables', 'system.metrics'];

test('the how-to pages grant the right to read each system table that the service reads', () => {
  const sources = filesUnder('src').map(({ text }) => text);
  const read = sources.flatMap((text) => text.match(/\bsystem\.\w+/g) ?? []);
  const pages = filesUnder('docs/how-to').filter(({ path }) => path.endsWith('.md'));
  const granted = pages.flatMap(({ text }) =>
    [...text.matchAll(/^GRANT SELECT ON (system\.\w+) TO transactions_writer;$/gm)].map(
      ([, table]) => table,
    ),
  );
  expect([...new Set([...granted, ...NEED_NO_GRANT])].sort()).toEqual([...new Set(read)].sort());
});

test('a server accepts the configuration of the page', async () => {
  const variables = { SHARD: '2', REPLICA: 'clickhouse-2-1', CLUSTER_SECRET: 'secret' };
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
  const config = join(directory, 'cluster.xml');
  await writeFile(config, shownConfiguration());
  await mkdir(join(directory, 'server'));
  const server = await ClickHouseServer.start(join(directory, 'server'), undefined, { config });
  const ask = async (body: string) =>
    await (await fetch(server.url, { method: 'POST', body })).text();
  const replicas = await ask(
    `SELECT shard_num, host_name, internal_replication FROM system.clusters WHERE cluster = '${CLUSTER}' FORMAT CSV`,
  );
  expect(replicas).toBe(
    '1,"clickhouse-1-1",1\n1,"clickhouse-1-2",1\n2,"clickhouse-2-1",1\n2,"clickhouse-2-2",1\n',
  );
  const macros = await ask('SELECT macro, substitution FROM system.macros ORDER BY 1 FORMAT CSV');
  expect(macros).toBe('"replica","clickhouse-2-1"\n"shard","2"\n');
  await server.kill();
});

/** Runs a command here that Compose would run in a container of the service. */
const IN_CONTAINER = `docker() {
  test "$1 $2 $3" = 'compose run --rm'; shift 3
  if test "$1" = -T; then shift; fi
  npx "$@"
}`;

/** The commands of step 3 for the cluster of compose.yaml. */
const commandsForCompose = () => /## 3\.[\s\S]*?```\n(docker [\s\S]*?)```/.exec(page)?.[1] ?? '';

// Only in the full run, because a cluster takes long to start. In `npm test`, cluster/imports.test.ts migrates
// a cluster and imports into it.
test.runIf(IS_FULL)(
  'the commands of the page create a database on a cluster, and import into it with and without Compose',
  async () => {
    const cluster = await ClickHouseCluster.start(join(directory, 'cluster'));
    try {
      await writeFile(join(directory, 'clickhouse-password'), '');
      await writeFile(join(directory, 'sales.csv'), csv([fileRow({}), fileRow({})]));
      await provideNpx(directory);
      const script = (await commandsOf('docs/how-to/run-on-a-cluster.md')).replace(
        /^export DATABASE_URL=.*$/m,
        `export DATABASE_URL=${cluster.address()}`,
      );
      const { status, stdout, stderr } = await runScript(
        `${IN_CONTAINER}\n${script}\n${commandsForCompose()}`,
        directory,
      );
      expect([status, stderr]).toEqual([0, expect.stringContaining('for an admin')]);
      expect(stdout.match(/Imported 2 rows/g)).toHaveLength(2);
      expect(stdout.match(/^trx_\S+$/gm)).toHaveLength(2);
    } finally {
      await cluster.close();
    }
  },
);
