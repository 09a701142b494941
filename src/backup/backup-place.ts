/** Where a backup is: in a directory of the machine with the database, or in an S3 bucket. */

import * as v from 'valibot';
import { assertNever } from '../contract/assert-never.ts';
import { literal } from '../plan/sql.ts';

export const BACKUP_PLACE = v.variant('kind', [
  v.strictObject({ kind: v.literal('directory'), name: v.string(), path: v.string() }),
  v.strictObject({
    kind: v.literal('bucket'),
    name: v.string(),
    url: v.string(),
    credentials: v.exactOptional(v.strictObject({ keyId: v.string(), secret: v.string() })),
  }),
]);

/** `name` is for messages: it has no credentials. */
export type BackupPlace = v.InferOutput<typeof BACKUP_PLACE>;

/** Where the backup of one shard is, in the engine's SQL. Shards are numbered from 0, but their folders from 1. */
export function locationOf(place: BackupPlace, shard: number): string {
  const folder = `shard-${shard + 1}`;
  switch (place.kind) {
    case 'directory':
      return `File(${literal(`${place.path}/${folder}`)})`;
    case 'bucket': {
      const { keyId, secret } = place.credentials ?? {};
      const keys = [keyId, secret].filter((key) => key !== undefined);
      return `S3(${[`${place.url}/${folder}`, ...keys].map(literal).join(', ')})`;
    }
    default:
      return assertNever(place);
  }
}
