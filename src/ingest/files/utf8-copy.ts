/** Converts a file that is not in UTF-8 to a temporary file in UTF-8 for the engine. */

import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { DiskFull, guardDiskSpace, isDiskFull, requireDiskSpace } from '../../disk/disk-space.ts';
import { NEVER_ABORTED } from '../../engine/never-aborted.ts';
import { Utf8Sample, utf8Blocks } from '../dialect/encoding.ts';
import { ImportRefused } from '../import-refused.ts';
import { blocksOf } from './file-content.ts';
import type { SourceFile } from './source-file.ts';

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  /** The encoding, if the user says it. */
  readonly stated?: string | undefined;
  /** Bytes of the disk that stay free. */
  readonly reserve?: number | undefined;
}

/** The same file if it is in UTF-8. The copy of a compressed file is compressed too. */
export async function utf8Copy(
  source: SourceFile,
  path: string,
  { signal = NEVER_ABORTED, stated, reserve }: CopyOptions,
): Promise<SourceFile> {
  const { encoding } = source;
  if (encoding === undefined) return source;
  const compression = source.compression === 'none' ? 'none' : 'zstd';
  const isGuessed = stated === undefined && encoding === 'windows-1252';
  const file = () => createWriteStream(path, { mode: 0o600 });
  const write = async (stopping: AbortSignal) => {
    const blocks = utf8Blocks(isGuessed ? westernBlocks(source) : blocksOf(source), encoding);
    if (compression === 'none') await pipeline(blocks, file(), { signal: stopping });
    else await pipeline(blocks, createZstdCompress(), file(), { signal: stopping });
  };
  const requireSpace = async () => await requireDiskSpace(dirname(path), reserve);
  await guardDiskSpace({ requireSpace, signal }, write).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw refusal(source, encoding, cause);
  });
  return { ...source, path, compression, bytes: (await stat(path)).size };
}

/** The content of a file whose beginning looks like Windows-1252. Refuses the file if the rest is in UTF-8. */
async function* westernBlocks(source: SourceFile): AsyncGenerator<Buffer> {
  const sample = new Utf8Sample();
  for await (const block of blocksOf(source)) {
    sample.add(block);
    yield block;
  }
  if (!sample.isBrokenUtf8) return;
  throw new ImportRefused(
    `${source.name}: is in UTF-8 but has broken characters. Correct them, or let the report name their lines: --encoding utf-8`,
  );
}

function refusal({ name }: SourceFile, encoding: string, cause: unknown): unknown {
  if (cause instanceof ImportRefused) return cause;
  if (cause instanceof DiskFull || isDiskFull(cause)) {
    return new DiskFull(
      `${name}: the disk has no space for its copy in UTF-8. Free some, or convert the file elsewhere: iconv -f ${encoding} -t utf-8 FILE`,
      { cause },
    );
  }
  if (!(cause instanceof TypeError)) return cause;
  return new ImportRefused(
    `${name}: contains bytes that are not valid ${encoding}. Name its encoding, such as --encoding windows-1252`,
    { cause },
  );
}
