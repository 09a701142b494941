import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTING_NAMES, setting } from '../../src/cli/inputs/settings.ts';
import { commandLine } from '../../src/cli/main.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { LOCALES } from '../../src/contract/record/labels.ts';
import { runCommand } from '../support/programs/command.ts';
import { everyNth } from '../support/run/sampled.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-help-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const run = async (...args: readonly string[]) => await runCommand(args, { directory: home });

/** The words of each command, such as `token create`. */
const COMMANDS = commandLine().commands.flatMap((command) =>
  command.commands.length === 0
    ? [[command.name()]]
    : command.commands.map((child) => [command.name(), child.name()]),
);

/** The text that `--help` prints, without a process. */
function helpOf(words: readonly string[]): string {
  let command = commandLine();
  for (const word of words)
    command = command.commands.find((one) => one.name() === word) ?? command;
  return command.helpInformation();
}

test('the commands are those in the documentation', () => {
  expect(COMMANDS.map((words) => words.join(' '))).toEqual([
    'serve',
    'import',
    'directory import',
    'directory export',
    'backup',
    'restore',
    'erase',
    'audit',
    'token create',
    'token list',
    'token revoke',
    'token block',
    'token unblock',
    'webhook add',
    'webhook list',
    'webhook test',
    'webhook pause',
    'webhook resume',
    'webhook rotate',
    'webhook remove',
    'webhook replay',
    'migrate',
    'retain',
    'check',
    'demo',
  ]);
});

const NAMED = COMMANDS.map((words) => ({ name: words.join(' '), words }));

test.each(everyNth(NAMED, 8))(
  '$name --help prints the help of the command, and does nothing',
  async ({ words }) => {
    const { code, output, errors } = await run(...words, '--help');
    expect([code, errors]).toEqual([0, '']);
    // Examples may follow.
    expect(output.startsWith(helpOf(words))).toBe(true);
    expect(await readdir(home)).toEqual([]);
  },
);

test.each(NAMED)(
  'the help of $name says what it does and what each flag means',
  ({ name, words }) => {
    const output = helpOf(words);
    expect(output).toMatch(
      new RegExp(`^Usage: transactions ${name} \\[options\\].*\n\n[A-Z].*\\.\n`),
    );
    const flags = output.match(/^ {2}(?:-h, )?--.*$/gm) ?? [];
    expect(flags.length).toBeGreaterThan(1);
    for (const flag of flags) expect(flag).toMatch(/--[a-z-]+( <[a-z]+>)? {2,}\S+/);
    expect(output).not.toMatch(/undefined|NaN|\[object/);
  },
);

test('transactions and transactions --help list all commands', async () => {
  const alone = await run();
  const help = await run('--help');
  expect([alone.code, help.code]).toEqual([1, 0]);
  expect(alone.errors).toBe(help.output);
  for (const [word = ''] of COMMANDS) expect(help.output).toMatch(new RegExp(`^ {2}${word} `, 'm'));
});

test('the flag of a setting is described by the table of settings, with its variable and default', () => {
  const text = helpOf(['serve']).replaceAll(/\s+/g, ' ');
  for (const name of SETTING_NAMES) {
    const { flag, env, fallback, meaning } = setting(name);
    if (flag === undefined) continue;
    const given = fallback ? `(${env}, else ${fallback})` : `(${env})`;
    expect(text).toContain(`${flag} ${meaning} ${given}`);
  }
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect((await run('--version')).output).toBe(`${version}\n`);
});

test('the languages and types in help texts are complete', async () => {
  expect(helpOf(['token', 'create'])).toContain(LOCALES.join(', '));
  expect((await run('import', 'x', '--type', 'sale')).errors).toContain(KINDS.join(', '));
});

test.each([
  [['imprt'], 'transactions', 'Did you mean import?'],
  [['import'], 'transactions import', "missing required argument 'file'"],
  [['import', 'x.csv', '--typ', 'sales'], 'transactions import', 'Did you mean --type?'],
  [['token', 'crate'], 'transactions token', 'Did you mean create?'],
  [
    ['token', 'create'],
    'transactions token create',
    "required option '--role <role>' not specified",
  ],
  [['token', 'revoke'], 'transactions token revoke', "missing required argument 'id'"],
  [['serve', '--port'], 'transactions serve', "option '--port <port>' argument missing"],
  [['serve', 'now'], 'transactions serve', 'too many arguments'],
])('%j is refused, and the error points to %s --help', async (args, command, message) => {
  const { code, output, errors } = await run(...args);
  expect([code, output]).toEqual([1, '']);
  expect(errors).toContain(message);
  expect(errors).toContain(`See all options with: ${command} --help`);
});
