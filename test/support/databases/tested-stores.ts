/** The kinds of databases on which the tests of responses run. */

import { fullOrShort } from '../run/test-extent.ts';

export const STORES = ['embedded', 'server', 'cluster'] as const;

export type StoreKind = (typeof STORES)[number];

/** All stores in a full run. In `npm test`, only tests that name their stores run on a server or a cluster. */
export const TESTED_STORES = fullOrShort<readonly StoreKind[]>(STORES, ['embedded']);
