/** `transactions erase`: shows what an erasure concerns, asks, and erases. */

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { ErasureGroup } from '../../erasure/erase-transactions.ts';
import type { ErasureCommand } from '../../erasure/selectors.ts';
import { UserError } from '../../user-error.ts';
import { readSelectors, readsStandardInput, type SelectorFlags } from '../inputs/selector-flags.ts';
import type { Flags } from '../inputs/settings.ts';
import { erasureText } from '../output/erasure-text.ts';
import { withOperator } from './with-operator.ts';

interface EraseFlags extends Flags {
  readonly rows?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function eraseCommand(flags: EraseFlags & SelectorFlags): Promise<void> {
  if (!flags.dryRun && !flags.yes) refuseIfUnableToAsk(flags);
  const command: ErasureCommand = {
    selectors: await readSelectors(flags),
    mode: flags.rows ? 'remove' : 'empty',
  };
  await withOperator(flags, async (operator) => {
    if (flags.dryRun) {
      return show(await operator.previewErasure(command), command.mode, flags);
    }
    if (!flags.yes) {
      const groups = await operator.previewErasure(command);
      if (!(await isConfirmed(erasureText(groups, command.mode, true, true))))
        return console.error('Nothing was erased.');
    }
    show((await operator.erase(command)).groups, command.mode, flags);
  });
}

function show(
  groups: readonly ErasureGroup[],
  mode: ErasureCommand['mode'],
  { json, dryRun = false }: EraseFlags,
): void {
  const transactions = groups.reduce((all, group) => all + group.transactions, 0);
  const line = { outcome: OUTCOMES[dryRun ? 'preview' : mode], transactions, groups };
  console.log(json ? JSON.stringify(line) : erasureText(groups, mode, dryRun));
}

/** The `outcome` in the line of JSON. */
const OUTCOMES = { preview: 'nothing changed', empty: 'emptied', remove: 'removed' } as const;

function refuseIfUnableToAsk(selectors: SelectorFlags): void {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  if (isTerminal && !readsStandardInput(selectors)) return;
  throw new UserError(
    'Without a terminal, or with values from standard input, an erasure cannot ask whether to go on. Nothing was erased.',
    'Preview the erasure with --dry-run, then run it with --yes.',
  );
}

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** The preview and the question go to standard error, because standard output may go to a file. */
const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Shows the preview, and asks whether to go on. Ctrl-C and the end of the input count as no. */
export async function isConfirmed(
  preview: string,
  { input, output }: Terminal = TERMINAL,
): Promise<boolean> {
  output.write(`${preview}\n`);
  const lines = createInterface({ input, output });
  try {
    const answer = lines.question('This cannot be undone. Type "erase" to go on: ');
    const text = await Promise.race([
      answer.catch(emptyIfAborted),
      once(lines, 'close').then(() => ''),
    ]);
    return text.trim() === 'erase';
  } finally {
    lines.close();
  }
}

function emptyIfAborted(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return '';
  throw error;
}
