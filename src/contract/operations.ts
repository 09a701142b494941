/** The table of operations: every path that can be read. */

import type { Operation } from './operation.ts';
import { SERVICE_OPERATIONS } from './service-operations.ts';
import { TRANSACTIONS_OPERATIONS } from './transactions-operations.ts';

export const OPERATIONS: readonly Operation[] = [...TRANSACTIONS_OPERATIONS, ...SERVICE_OPERATIONS];
