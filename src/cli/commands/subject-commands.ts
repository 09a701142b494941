/** `transactions token block` and `unblock`: subjects of the identity provider. */

import { UserError } from '../../user-error.ts';
import type { Flags } from '../inputs/settings.ts';
import { printableLine } from '../output/printable.ts';
import { withOperator } from './with-operator.ts';

interface SubjectFlags extends Flags {
  readonly json?: boolean;
}

const LONGEST = 1000;

export async function blockSubjectCommand(subject: string, flags: SubjectFlags): Promise<void> {
  if (subject === '' || subject.length > LONGEST) {
    throw new UserError(
      `A subject has 1 to ${LONGEST} characters.`,
      'Name the claim "sub" of the tokens: transactions token block "auth0|5f7c8ec7"',
    );
  }
  await withOperator(flags, async (operator) => {
    await operator.blockSubject(subject);
    const shown = printableLine(subject);
    print(
      flags,
      { subject, blocked: true },
      `${shown} is blocked; every server refuses its tokens within 5 seconds.`,
    );
  });
}

export async function unblockSubjectCommand(subject: string, flags: SubjectFlags): Promise<void> {
  await withOperator(flags, async (operator) => {
    const shown = printableLine(subject);
    if (!(await operator.unblockSubject(subject))) {
      throw new UserError(`${shown} is not blocked.`, 'See who is: transactions token list');
    }
    print(flags, { subject, blocked: false }, `${shown} is not blocked any more.`);
  });
}

const print = ({ json }: SubjectFlags, fact: object, text: string): void =>
  console.log(json ? JSON.stringify(fact) : text);
