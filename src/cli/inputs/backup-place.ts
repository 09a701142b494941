/** Parses the argument that says where a backup is: a directory, or the URL of a folder in an S3 bucket. */

import { isAbsolute, relative, resolve } from 'node:path';
import type { BackupPlace } from '../../backup/backup-place.ts';
import { isSourceUrl, readSourceUrl } from '../../connectors/source-url.ts';
import { readDatabaseUrl } from '../../database/database-url.ts';
import { UserError } from '../../user-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const EXAMPLES = 'Name a directory, or s3://bucket/folder?region=eu-west-3';

export function readBackupPlace(
  text: string,
  database: string,
  environment: Environment,
): BackupPlace {
  if (/^s3:\/\//i.test(text)) return bucketPlace(text, environment);
  if (isSourceUrl(text) || text === '') {
    throw new UserError('A backup must be in a directory or in an S3 bucket.', EXAMPLES);
  }
  const address = readDatabaseUrl(database);
  if (address.kind !== 'chdb') {
    if (isAbsolute(text)) return { kind: 'directory', name: text, path: text };
    throw new UserError(
      `The directory of a backup is on the disk of the ClickHouse server, so ${text} must be an absolute path.`,
      'Give the absolute path of a directory on the server, or s3://bucket/folder',
    );
  }
  const path = resolve(text);
  if (!relative(resolve(address.directory), path).startsWith('..')) {
    throw new UserError(
      `${text} is in the directory of the database.`,
      'Name a directory outside it, best on another disk.',
    );
  }
  return { kind: 'directory', name: text, path };
}

function bucketPlace(text: string, environment: Environment): BackupPlace {
  const address = readSourceUrl(text, environment);
  if (address.kind !== 's3') throw new TypeError(address.kind);
  const { url, key, credentials, name } = address;
  if (/[*?{}]/.test(key))
    throw new UserError(
      'The URL of a backup must not contain the characters of patterns: *, ?, { and }.',
      EXAMPLES,
    );
  if (credentials?.sessionToken !== undefined) {
    throw new UserError(
      'AWS_SESSION_TOKEN is set, but the engine cannot write or read backups with it.',
      'Unset it, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of a user who may read and write there.',
    );
  }
  const folder = key.replace(/\/+$/, '').replaceAll(/[^\w.~/-]/gu, encodeURIComponent);
  return {
    kind: 'bucket',
    name,
    url: `${url}/${folder}`,
    ...(credentials && { credentials: { keyId: credentials.keyId, secret: credentials.secret } }),
  };
}
