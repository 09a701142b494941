/** A token record, and the problem code of a failed authentication. */

import type { TokenRecord } from '../../src/auth/token-record.ts';
import { Problem, type ProblemCode } from '../../src/contract/problems/problems.ts';

export const RECORD: TokenRecord = {
  id: 'tok_1',
  role: 'affiliate',
  publisherIds: [7, 9],
  programIds: [],
  mayManageTokens: false,
  createdBy: undefined,
  locale: undefined,
  name: 'A partner',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  expiresAt: undefined,
  revokedAt: undefined,
};

/** The code of the problem that the function throws; fails the test if it throws none. */
export async function refusalOf(work: () => unknown): Promise<ProblemCode> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  throw new Error('No problem was thrown.');
}
