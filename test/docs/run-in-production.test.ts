import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/programs/free-port.ts';
import { runScript } from '../support/programs/page-commands.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Replaces commands that need root, systemd or a download. `systemctl` only starts and stops what the unit names. */
const STAND_INS = {
  useradd: 'echo "useradd $*" >> "$PLACE/calls"',
  runuser: 'shift 3; exec "$@"',
  npm: `test "$1 $2" = 'ci --prefix'; ln -sfn '${root}node_modules' "$3/node_modules"`,
  systemctl: `UNIT="$PLACE/etc/systemd/system/transactions.service"
said() { sed -n "s/^$1=//p" "$UNIT"; }
case "$*" in
daemon-reload) ;;
'enable --now transactions' | 'start transactions')
  mkdir -p "$PLACE/var/lib/$(said StateDirectory)"
  cd "$(said WorkingDirectory)"
  set -a; . "$(said EnvironmentFile)"; set +a
  $(said ExecStart) > "$PLACE/log" 2>&1 &
  echo $! > "$PLACE/pid" ;;
'stop transactions')
  kill "$(cat "$PLACE/pid")"
  while kill -0 "$(cat "$PLACE/pid")" 2> /dev/null; do sleep 0.1; done ;;
*) echo "systemctl $*?" >&2; exit 1 ;;
esac`,
};

const SALE = `transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at
1,12,345,7,2,2026-01-15 10:00:00,2026-01-15 10:00:00
`;

let place: string;
let origin: string;
let clone: string;
let port: number;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'production-'));
  origin = join(place, 'origin');
  clone = join(place, 'clone');
  for (const folder of ['opt', 'var/lib', 'etc/systemd/system', 'usr/local/bin', 'origin']) {
    await mkdir(join(place, folder), { recursive: true });
  }
  for (const [name, script] of Object.entries(STAND_INS)) {
    await writeFile(join(place, 'usr/local/bin', name), `#!/bin/bash\nset -eu\n${script}\n`);
    await chmod(join(place, 'usr/local/bin', name), 0o755);
  }
  for (const name of ['bin', 'src', 'package.json']) {
    await cp(join(root, name), join(origin, name), { recursive: true });
  }
  git(origin, 'init', '--quiet', '--initial-branch', 'main');
  commit('The first version');
  git(place, 'clone', '--quiet', origin, clone);
  await writeFile(join(clone, 'sales.csv'), SALE);
  port = await freePort();
});

afterAll(async () => {
  await run('systemctl stop transactions').catch(() => undefined);
  await rm(place, { recursive: true, force: true });
});

const git = (folder: string, ...args: string[]) => execFileSync('git', ['-C', folder, ...args]);

function commit(message: string): void {
  git(origin, 'add', '.');
  const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  git(origin, ...author, 'commit', '--quiet', '-m', message);
}

const pageText = async () => await readFile(join(root, 'docs/how-to/run-in-production.md'), 'utf8');

/** The commands of a section, with the test's directories and a free port. */
async function commandsBelow(heading: string): Promise<string> {
  const section = (await pageText()).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
  expect(blocks.length).toBeGreaterThan(0);
  return blocks
    .join('\n')
    .replaceAll(/(?<=[\s"=:])\/(?=(?:opt|etc|var\/lib|usr\/local\/bin)\/)/g, `${place}/`)
    .replace(/^TIMEZONE=.*$/m, `$&\nPORT=${port}`)
    .replaceAll(':3000', `:${port}`);
}

const run = async (script: string) =>
  await runScript(
    `export PLACE='${place}' PATH='${join(place, 'usr/local/bin')}${delimiter}'"$PATH"\ncd '${clone}'\n${script}`,
    place,
  );

test('the commands install the service, start it, import rows and create tokens', async () => {
  const script = [await commandsBelow('Install'), await commandsBelow('Run it as a service')];
  const { status, stdout, stderr } = await run(script.join('\n'));
  expect(status, stderr).toBe(0);
  const token = /^trx_\S+$/m.exec(stdout)?.[0];
  expect(stdout).toContain(
    'The database responds and matches these settings. A running server has it open.',
  );
  const question = 'type=sales&start_date=2026-01-01&end_date=2026-01-31&fields=transaction_id';
  const url = `http://127.0.0.1:${port}/api/admin/transactions?${question}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toEqual([{ transaction_id: 1 }]);
  expect(await readFile(join(place, 'calls'), 'utf8')).toMatch(
    /^useradd --system .* transactions$/m,
  );
});

test('if the explorer is not built, the page at / says how to build it', async () => {
  const answer = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(answer).toContain('The explorer is not built yet');
  expect(answer).toContain('npm run build:explorer');
});

// Only in the full run. In `npm test`, deployment/back-up.test.ts copies and restores a database.
test.runIf(IS_FULL)(
  'the upgrade commands keep a copy of the database and serve the new version',
  async () => {
    await writeFile(join(origin, 'NEW'), '');
    commit('The next version');
    const [, pull = ''] = /run `(git pull)` there/.exec(await pageText()) ?? [];
    await run(pull);
    const ready = `curl -sf --retry 20 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/health/ready`;
    const script = `${await commandsBelow('Upgrade')}\n${ready}\nls "$PLACE/var/lib/transactions" "$PLACE/opt/transactions-reporting"`;
    const { status, stdout, stderr } = await run(script);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^data\.\d{8}-\d{6}$/m);
    expect(stdout).toMatch(/^NEW$/m);
  },
);

test('the unit has a directory for the audit log, which its sandbox lets the service write', async () => {
  const unit = await readFile(join(place, 'etc/systemd/system/transactions.service'), 'utf8');
  const page = await readFile(join(root, 'docs/how-to/audit.md'), 'utf8');
  const [, directory] = /`AUDIT_LOG=\/var\/log\/(\w+)\/audit\.log`/.exec(page) ?? [];
  expect(unit.split('\n')).toContain(`LogsDirectory=${directory}`);
});

const hasSystemd = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'systemd-analyze')));

test.skipIf(!hasSystemd)('systemd accepts the unit', async () => {
  const unit = join(place, 'etc/systemd/system/transactions.service');
  const { status, stdout, stderr } = await run(`systemd-analyze verify '${unit}'`);
  expect([status, stdout + stderr]).toEqual([0, '']);
});

test.skipIf(!hasSystemd)('systemd rates the sandbox of the unit at 2.0 or better', async () => {
  const unit = join(place, 'etc/systemd/system/transactions.service');
  const rating = 'systemd-analyze security --no-pager --offline=true --threshold=20';
  const { status, stdout, stderr } = await run(`${rating} '${unit}'`);
  expect([status, stderr], stdout).toEqual([0, '']);
});
