/** What an import is asked for, and what it has around it. */

import type { Kind } from '../contract/record/kinds.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import type { ImportFile } from './files/import-file.ts';

export interface ImportRequest {
  readonly files: readonly ImportFile[];
  /** The type of all rows. */
  readonly type: Kind | undefined;
  /** Round decimals beyond the sixth instead of refusing them. */
  readonly round: boolean;
  /** Import the good rows and hand over the others as CSV; without it any wrong row refuses all. */
  readonly onRejected?: ((csv: Uint8Array) => Promise<void>) | undefined;
}

export interface ImportDeps {
  readonly nodes: ClusterNodes;
  readonly timeZone: string;
  /** A directory for what is needed in between. */
  readonly workDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with the part that is read, from 0 to 1, as far as it can be told. */
  readonly onProgress?: ((part: number) => void) | undefined;
  /** How many rows are held against the stored ones at a time, which bounds the memory. */
  readonly rowsAtATime?: number | undefined;
}
