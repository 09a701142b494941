/** `transactions erase`: shows what an erasure concerns, asks, and erases. */

import { createInterface } from 'node:readline/promises';
import type { Operator } from '../../control/operator.ts';
import type { ErasureGroup } from '../../erasure/erase-transactions.ts';
import type { ErasureCommand } from '../../erasure/selectors.ts';
import { UserError } from '../../user-error.ts';
import { readSelectors, type SelectorFlags } from '../inputs/selector-flags.ts';
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
  const command: ErasureCommand = {
    selectors: await readSelectors(flags),
    mode: flags.rows ? 'remove' : 'empty',
  };
  await withOperator(flags, async (operator) => {
    if (flags.dryRun) {
      return show(await operator.previewErasure(command), command.mode, flags);
    }
    if (!flags.yes && !(await isConfirmed(operator, command))) return;
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

async function isConfirmed(operator: Operator, command: ErasureCommand): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new UserError(
      'Without a terminal, an erasure cannot ask whether to go on. Nothing was erased.',
      'Preview the erasure with --dry-run, then run it with --yes.',
    );
  }
  console.log(erasureText(await operator.previewErasure(command), command.mode, true));
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await questions.question('This cannot be undone. Type "erase" to go on: ');
  questions.close();
  if (answer.trim() === 'erase') return true;
  console.error('Nothing was erased.');
  return false;
}
