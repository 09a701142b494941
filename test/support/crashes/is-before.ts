/** Whether a process dies right before a statement. */

import type { Statement } from '../../../src/plan/sql.ts';

/** The moment is a part of the text of a statement, or the number of one, before which no process dies. */
export const isBefore = ({ text }: Statement, moment: string): boolean =>
  Number.isNaN(Number(moment)) && text.includes(moment);
