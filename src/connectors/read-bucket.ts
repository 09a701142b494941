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

/** `path` is the bucket and the key, `changed` seconds since 1970. */
const FOUND_OBJECT = v.object({ path: v.string(), size: v.number(), changed: v.number() });

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
  const listed = await engine.rows(
    FOUND_OBJECT,
    `SELECT _path AS path, toUInt64(_size) AS size, toUnixTimestamp(_time) AS changed
FROM ${objects(address, urlOf(address, address.key, ENCODED_IN_PATTERN), 'One')} ORDER BY path`,
  );
  // The console of S3 creates a folder as an empty object whose key ends with a slash.
  const found = listed.filter(({ path, size }) => size > 0 || !path.endsWith('/'));
  if (found.length === 0) {
    throw new UserError(
      `${address.name}: there is no such object.`,
      'List the objects: aws s3 ls s3://…',
    );
  }
  const files: ImportFile[] = [];
  for (const { path, size, changed } of found) {
    // Objects are replaced as a whole, so an old one has no new rows.
    if (since !== undefined && changed < since.instant) continue;
    const key = path.slice(address.bucket.length + 1);
    const file = join(directory, `object-${files.length}`);
    await engine.write(
      `SELECT line FROM ${objects(address, urlOf(address, key, ENCODED_IN_KEY), 'LineAsString')}`,
      file,
      'LineAsString',
      BYTE_EXACT,
    );
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
  if (written < size || written > size + 1) {
    throw new UserError(
      `s3://${path} has ${size} bytes, but ${written} bytes arrived: the object changed during the download.`,
      'Run the same command again.',
    );
  }
  await truncate(file, size);
}
