/** Reads the sources among the arguments of an import: databases and buckets. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadOptions, readSource } from '../../connectors/read-source.ts';
import type { ReadRequest } from '../../connectors/reader-messages.ts';
import type { SourceAddress } from '../../connectors/source-address.ts';
import { isSourceUrl, readSourceUrl } from '../../connectors/source-url.ts';
import type { Operator } from '../../control/operator.ts';
import { commandFile } from '../../disk/command-files.ts';
import { DiskFull, guardDiskSpace, requireDiskSpace } from '../../disk/disk-space.ts';
import type { ImportFile } from '../../ingest/files/import-file.ts';
import type { ExpectedRows } from '../../ingest/files/known-columns.ts';
import type { Mapping } from '../../ingest/files/mapping.ts';
import { UserError } from '../../user-error.ts';
import { passwordFrom } from './password-file.ts';
import { readSince } from './read-since.ts';

export interface SourceFlags {
  readonly since?: string;
  readonly sourcePasswordFile?: string;
}

/** The addresses of the sources among the arguments. */
export async function sourceAddresses(
  patterns: readonly string[],
  { since, sourcePasswordFile: file }: SourceFlags,
): Promise<readonly SourceAddress[]> {
  const urls = patterns.filter(isSourceUrl);
  // Hides passwords in URLs from the process list. The shell of `npx` still shows them.
  if (urls.length > 0) process.title = 'transactions import';
  if (since !== undefined && urls.length < patterns.length) {
    throw new UserError(
      '--since is for databases and buckets: files are read as a whole.',
      'Leave it out: a repeated import changes nothing.',
    );
  }
  // Checked before the database is opened or created. Its time zone is not known yet, and the result is not
  // used, so UTC will do.
  if (since !== undefined) readSince(since, 'UTC');
  const password =
    file === undefined ? undefined : await passwordFrom(file, '--source-password-file');
  return urls.map((url) => readSourceUrl(url, process.env, password));
}

interface SourceOptions extends ExpectedRows {
  readonly mapping: Mapping | undefined;
  readonly since: string | undefined;
}

/** Reads all sources into files in the directory, one after the other. */
export async function readSources(
  addresses: readonly SourceAddress[],
  { mapping, rows, typeGiven, since }: SourceOptions,
  operator: Operator,
  directory: string,
  options: ReadOptions,
): Promise<readonly ImportFile[]> {
  const files: ImportFile[] = [];
  if (addresses.length === 0) return files;
  const zone = mapping?.timeZone ?? (await operator.timeZone());
  const from = since === undefined ? undefined : readSince(since, zone);
  for (const [at, address] of addresses.entries()) {
    const own = join(directory, `${at}`);
    await mkdir(own, { recursive: true, mode: 0o700 });
    const request = { address, mapping, rows, typeGiven, since: from, directory: own };
    files.push(...(await readGuarded(request, options)));
  }
  return files;
}

/** Reads a source, and stops before the disk is full: a service may have its database on it. */
async function readGuarded(
  request: ReadRequest,
  options: ReadOptions,
): Promise<readonly ImportFile[]> {
  let files: readonly ImportFile[] = [];
  const { signal } = options;
  const requireSpace = async () => await requireDiskSpace(request.directory);
  const read = async (stopping: AbortSignal) => {
    files = await readSource(request, { ...options, signal: stopping });
  };
  await guardDiskSpace({ requireSpace, signal }, read).catch((cause: unknown) => {
    if (!(cause instanceof DiskFull)) throw cause;
    throw new DiskFull(
      `${request.address.name}: the disk has no space for its rows. Free some, or import less at a time: --since.`,
      { cause },
    );
  });
  return files;
}

/** The path of a directory for the files of sources. `readSources` creates it, and the caller removes it. */
export const newSourcesPath = ({ workDirectory }: Operator): string =>
  commandFile(workDirectory, 'sources');
