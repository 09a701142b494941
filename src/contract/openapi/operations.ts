/** The table of operations, which has every path of the API. */

import { SIGN_IN_OPERATIONS } from '../tokens/sign-in-operations.ts';
import { WEBHOOK_OPERATIONS } from '../webhooks/webhook-operations.ts';
import { ACCESS_OPERATIONS } from './access-operations.ts';
import { CHANGES_OPERATIONS } from './changes-operations.ts';
import { DIRECTORY_OPERATIONS } from './directory-operations.ts';
import type { Operation } from './operation.ts';
import { PERFORMANCE_OPERATIONS } from './performance-operations.ts';
import { SERVICE_OPERATIONS } from './service-operations.ts';
import { SUMMARY_OPERATIONS } from './summary-operations.ts';
import { TRANSACTION_OPERATIONS } from './transaction-operations.ts';
import { LIST_OPERATIONS } from './transactions-operations.ts';

// biome-ignore format: one group of operations a line
export const OPERATIONS: readonly Operation[] = [
  ...LIST_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...SUMMARY_OPERATIONS,
  ...PERFORMANCE_OPERATIONS,
  ...CHANGES_OPERATIONS,
  ...DIRECTORY_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...SERVICE_OPERATIONS,
];
