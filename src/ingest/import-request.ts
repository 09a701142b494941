/** The request for an import, and its dependencies. */

import type { Kind } from '../contract/record/kinds.ts';
import type { KeptFrom } from '../contract/record/retention.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import type { ImportFile } from './files/import-file.ts';

export interface ImportRequest {
  readonly files: readonly ImportFile[];
  /** The type of all rows; undefined if each row names its own. */
  readonly type: Kind | undefined;
  /** Round decimals after the sixth instead of refusing them. */
  readonly round: boolean;
  /** Receives rejected rows as CSV, and lets the valid ones be imported. Without it, one fault refuses the import. */
  readonly onRejected?: ((csv: Uint8Array) => Promise<void>) | undefined;
}

export interface ImportDeps {
  readonly nodes: ClusterNodes;
  readonly timeZone: string;
  /** The first month that is kept, by type of transaction; without one, all months are kept. */
  readonly keptFrom?: KeptFrom | undefined;
  /** A directory for temporary files. */
  readonly workDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with the estimated fraction that is read, from 0 to 1. */
  readonly onProgress?: ((part: number) => void) | undefined;
  /** Rows that are compared with stored ones in one statement; limits the memory. */
  readonly rowsAtATime?: number | undefined;
}
