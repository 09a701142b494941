/** Response cache in front of a test service: the engine runs each query once per data version. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestService } from '../requests/service.ts';

/** Small responses that depend only on the request and the stored data. */
const KEPT =
  /\/api\/(?:admin|affiliate)\/(?:transactions\/summary\?|transactions\?.*\blimit=|performance\?)/;

/** The headers on which these responses depend. */
const VARYING = ['authorization', 'accept', 'accept-language', 'if-none-match', 'range'] as const;

/** Marks the requests that the cache itself sends to the service. */
const FROM_CACHE = 'x-from-cache';

/** Headers that are not kept, because they are about one connection or about the coding of the body. */
const OWN_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

interface KeptResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Answers repeated requests with the service's own responses while the data version stays the same. */
export function keepResponses({
  url,
  server: { server },
  database: { engine },
}: TestService): void {
  const responses = new Map<string, Promise<KeptResponse>>();
  const listeners = server.listeners('request');
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const responseTo = (path: string, headers: Readonly<Record<string, string>>) => {
    const key = JSON.stringify([engine.versions, path, headers]);
    const known = responses.get(key);
    if (known !== undefined) return known;
    const response = fetchResponse(url + path, headers);
    responses.set(key, response);
    const forget = () => void responses.delete(key);
    // Only responses with status 200 are kept, so that a service that was busy is asked again.
    response.then(({ status }) => status === 200 || forget(), forget);
    return response;
  };
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method, url: path = '', headers } = request;
    const isKept = method === 'GET' && KEPT.test(path) && headers[FROM_CACHE] === undefined;
    if (!isKept || engine.versions === undefined) return pass(request, response);
    const varying = VARYING.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    responseTo(path, Object.fromEntries(varying)).then(
      ({ status, headers, body }) => {
        for (const [name, value] of headers) response.setHeader(name, value);
        response.writeHead(status).end(body);
      },
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
}

async function fetchResponse(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<KeptResponse> {
  const response = await fetch(url, {
    headers: { ...headers, 'accept-encoding': 'identity', [FROM_CACHE]: '1' },
  });
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !OWN_HEADERS.has(name)),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
