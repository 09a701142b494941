/** Reads the lists of several kinds, to compute from them what other reports show. */

import type { Kind } from '../../../src/contract/record/kinds.ts';
import type { JsonRecord, RecordOfKind } from '../rows/summaries.ts';
import { pathOf, type RandomRequest, tokenOf } from './random-requests.ts';
import type { TestService } from './service.ts';

export async function listedRows(
  service: TestService,
  request: RandomRequest,
  kinds: readonly Kind[],
): Promise<readonly RecordOfKind[]> {
  const lists = kinds.map(async (kind) => {
    const path = pathOf({ ...request, type: kind });
    const records = await (await service.get(path, tokenOf(request.principal))).json();
    return (records as readonly JsonRecord[]).map((record) => ({ kind, record }));
  });
  return (await Promise.all(lists)).flat();
}
