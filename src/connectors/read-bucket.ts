/** Downloads objects of an S3 bucket as files. */

import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { ImportFile } from '../ingest/files/import-file.ts';
import { literal } from '../plan/sql.ts';
import { UserError } from '../user-error.ts';
import type { ReadRequest } from './reader-messages.ts';
import type { BucketAddress } from './source-address.ts';
import type { TemporaryEngine } from './temporary-engine.ts';

type BucketRequest = ReadRequest & { readonly address: BucketAddress };

/** `path` is the bucket and the key, `changed` seconds since 1970. The tag changes with the content. */
const FOUND_OBJECT = v.object({
  path: v.string(),
  size: v.number(),
  changed: v.number(),
  tag: v.string(),
});

/** Settings that keep the order of lines, so that joining them with line feeds gives the original bytes. */
const BYTE_EXACT = [
  'input_format_parallel_parsing = 0',
  'max_download_threads = 1',
  'output_format_parallel_formatting = 0',
];

export async function readBucket(
  engine: TemporaryEngine,
  { address, mapping, since, directory }: BucketRequest,
): Promise<readonly ImportFile[]> {
  const list = async (url: string) =>
    await engine.rows(
      FOUND_OBJECT,
      `SELECT _path AS path, toUInt64(_size) AS size, toUnixTimestamp(_time) AS changed, ifNull(_etag, '') AS tag
FROM ${objects(address, url, 'One')} ORDER BY path`,
    );
  const listed = await list(urlOf(address, address.key, ENCODED_IN_PATTERN));
  // The console of S3 creates a folder as an empty object whose key ends with a slash.
  const found = listed.filter(({ path, size }) => size > 0 || !path.endsWith('/'));
  if (found.length === 0) {
    throw new UserError(
      `${address.name}: there is no such object.`,
      'List the objects: aws s3 ls s3://…',
    );
  }
  const files: ImportFile[] = [];
  for (const { path, size, changed, tag } of found) {
    // Objects are replaced as a whole, so an old one has no new rows.
    if (since !== undefined && changed < since.instant) continue;
    const url = urlOf(address, path.slice(address.bucket.length + 1), ENCODED_IN_KEY);
    const file = join(directory, `object-${files.length}`);
    await engine.write(
      `SELECT line FROM ${objects(address, url, 'LineAsString')}`,
      file,
      'LineAsString',
      BYTE_EXACT,
    );
    // The engine may have read the object in several requests, and so the parts of two versions.
    const [present] = await list(url);
    if (present?.tag !== tag) throw changedObject(path);
    await truncateTo(size, file, path);
    files.push({ path: file, name: `s3://${path}`, mapping });
  }
  return files;
}

/** The URL of objects. `encoded` matches the characters to encode. */
const urlOf = ({ url }: BucketAddress, key: string, encoded: RegExp): string =>
  `${url}/${key.replaceAll(encoded, encodeURIComponent)}`;

const ENCODED_IN_KEY = /[^\w.~/-]/gu;
const ENCODED_IN_PATTERN = /[^\w.~/*?{},-]/gu;

function objects({ credentials }: BucketAddress, url: string, format: 'One' | 'LineAsString') {
  const keys =
    credentials === undefined
      ? ['NOSIGN']
      : [credentials.keyId, credentials.secret, credentials.sessionToken]
          .filter((part) => part !== undefined)
          .map(literal);
  const structure = format === 'One' ? [] : ["'line String'", "'none'"];
  return `s3(${[literal(url), ...keys, `'${format}'`, ...structure].join(', ')})`;
}

/** Removes the last line feed if the engine added it. */
async function truncateTo(size: number, file: string, path: string): Promise<void> {
  const written = (await stat(file)).size;
  if (written < size || written > size + 1) throw changedObject(path);
  await truncate(file, size);
}

const changedObject = (path: string): UserError =>
  new UserError(
    `s3://${path} changed during the download. Nothing was imported.`,
    'Run the same command again.',
  );
