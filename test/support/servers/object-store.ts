/** A small S3-compatible object store: lists, returns and stores the objects of a test. */

import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Stored {
  readonly content: Buffer;
  readonly changed: Date;
}

export interface ObjectStore {
  readonly url: string;
  readonly keys: () => readonly string[];
  put(key: string, content: string | Uint8Array, changed?: Date): void;
  /** Replaces an object as soon as its content is requested. */
  replaceWhenRead(key: string, content: string): void;
  close(): Promise<void>;
}

/** If a key is given, only requests that are signed with it are answered. */
export async function startObjectStore(keyId?: string): Promise<ObjectStore> {
  const objects = new Map<string, Stored>();
  const replacements = new Map<string, Stored>();
  const list = (prefix: string) =>
    [...objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(
        ([key, { content, changed }]) =>
          `<Contents><Key>${key}</Key><LastModified>${changed.toISOString()}</LastModified><ETag>${tagOf(content)}</ETag><Size>${content.length}</Size></Contents>`,
      )
      .join('');
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://store');
    const [, bucket, ...rest] = url.pathname.split('/');
    const end = (status: number, body: string | Buffer, headers = {}) =>
      response
        .writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers })
        .end(request.method === 'HEAD' ? undefined : body);
    const error = (status: number, code: string) =>
      end(status, `<Error><Code>${code}</Code></Error>`);
    if (!(request.headers.authorization ?? '').includes(`Credential=${keyId ?? ''}`)) {
      if (keyId !== undefined) return error(403, 'InvalidAccessKeyId');
    }
    if (bucket !== 'bucket') return error(404, 'NoSuchBucket');
    if (url.searchParams.has('list-type')) {
      const found = list(url.searchParams.get('prefix') ?? '');
      const name = '<Name>bucket</Name><IsTruncated>false</IsTruncated>';
      return end(200, `<ListBucketResult>${name}${found}</ListBucketResult>`);
    }
    const key = decodeURIComponent(rest.join('/'));
    if (request.method === 'PUT') {
      void buffer(request).then((content) => {
        objects.set(key, { content, changed: new Date() });
        end(200, '', { etag: tagOf(content) });
      });
      return;
    }
    if (request.method === 'DELETE') return end(objects.delete(key) ? 204 : 404, '');
    const object = objects.get(key);
    if (object === undefined) return error(404, 'NoSuchKey');
    const { content, changed } = object;
    const replacement = replacements.get(key);
    if (replacement !== undefined && request.method === 'GET') objects.set(key, replacement);
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const part = content.subarray(Number(from ?? 0), to ? Number(to) + 1 : undefined);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${content.length}`;
    return end(from === undefined ? 200 : 206, part, {
      'last-modified': changed.toUTCString(),
      etag: tagOf(content),
      ...(from === undefined ? {} : { 'content-range': range }),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => [...objects.keys()],
    put: (key, content, changed = new Date()) => {
      objects.set(key, { content: Buffer.from(content), changed });
    },
    replaceWhenRead: (key, content) => {
      replacements.set(key, { content: Buffer.from(content), changed: new Date() });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const tagOf = (content: Buffer): string => `"${hash('md5', content)}"`;
