/** The flags that state the dialect of files: `--delimiter`, `--decimal`, `--dates` and `--encoding`. */

import type { Command } from 'commander';
import type { StatedDialect } from '../../ingest/dialect/dialect.ts';
import {
  DIALECT_MEMBER_NAMES,
  DIALECT_MEMBERS,
  dialectChoices,
  readStatedDialect,
} from '../../ingest/dialect/stated-dialect.ts';
import { UserError } from '../../user-error.ts';

export type DialectFlags = { readonly [Name in keyof StatedDialect]?: string };

/** Adds the flags, and also `--suggest-mapping`, because the mapping that it writes can state the dialect too. */
export function withDialect(command: Command): Command {
  command.option(
    '--suggest-mapping <file>',
    'write a mapping for the first file, guessed from its columns, and import nothing',
  );
  for (const name of DIALECT_MEMBER_NAMES) {
    const { placeholder, meaning } = DIALECT_MEMBERS[name];
    const text = `${meaning[0]?.toLowerCase()}${meaning.slice(1)}, if it cannot be detected: ${dialectChoices(name).join(' ')}`;
    command.option(`--${name} <${placeholder}>`, text);
  }
  return command;
}

/** Throws a UserError that names every wrong flag. */
export function readDialectFlags(flags: DialectFlags): StatedDialect {
  const faults = new Map<string, string>();
  const dialect = readStatedDialect(flags, faults);
  if (faults.size === 0) return dialect;
  const texts = [...faults].map(([name, fault]) => `--${name} ${fault}`);
  throw new UserError(texts.join('\n  '), 'See all options with: transactions import --help');
}
