/** The kinds of databases that the tests of answers run on. */

import { inFull } from '../run/test-extent.ts';

export const STORES = ['embedded', 'server', 'cluster'] as const;

export type StoreKind = (typeof STORES)[number];

/** All of them in full. Else tests that name their stores hold that these answer alike. */
export const TESTED_STORES = inFull<readonly StoreKind[]>(STORES, ['embedded']);
