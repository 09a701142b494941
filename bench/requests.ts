/** Sends small requests over kept-alive connections: one after the other, or over several connections. */

import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';

export const CONNECTIONS = 8;

/** Sends the request with the given number. */
export type Request = (at: number) => Promise<void>;

/** Requests with a token, on connections of their own. */
export function requester(token: string, urlOf: (at: number) => string): Request {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${token}` };
  return async (at) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    get(urlOf(at), { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Status ${response.statusCode}`));
      buffer(response).then(() => resolve(), reject);
    }).on('error', reject);
    await promise;
  };
}

/** Milliseconds of each of `count` requests, sent one after the other. */
export async function times(request: Request, count: number): Promise<readonly number[]> {
  const measured: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    await request(at);
    measured.push(performance.now() - started);
  }
  return measured;
}

/** Requests a second over all connections, measured for some seconds. */
export async function throughput(request: Request, seconds: number): Promise<number> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let count = 0;
  const connection = async () => {
    while (elapsed() < seconds) await request(count++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return count / elapsed();
}
