/** Calls the API of this service for the tools, with the client's own token, and turns its errors into texts. */

import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { PROBLEM_CODES, problemPath } from '../contract/problems/problem-body.ts';
import type { Role } from '../contract/record/records.ts';
import { readJson } from '../read-json.ts';
import { readRows } from './read-rows.ts';
import { MAX_BYTES } from './tool-bounds.ts';

/** The client of one request to the MCP server. */
export interface ApiClient {
  readonly role: Role;
  /** Gets a path of the API, below the base path. The same checks and limits apply as to any request. */
  readonly get: (target: string, signal: AbortSignal) => Promise<IncomingMessage>;
  /** The URL of a path below the base path. */
  readonly urlOf: (target: string) => string;
}

/** The API refused the request, or failed. The message says what to do. */
export class ApiRefusal extends Error {}

const PROBLEM = v.object({
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  code: v.picklist(PROBLEM_CODES),
  errors: v.optional(v.array(v.object({ parameter: v.string(), detail: v.string() })), []),
});

/** The response of the API. Throws an ApiRefusal if it is a problem. */
export async function askApi(
  { get, urlOf }: ApiClient,
  target: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const response = await get(target, signal);
  if (response.statusCode === 200) return response;
  const text = Buffer.concat(await Array.fromAsync<Buffer>(response)).toString();
  const { title, status, detail, code, errors } = readJson(PROBLEM, text);
  const after = response.headers['retry-after'];
  const lines = [
    `${title} (${code}, ${status}): ${detail}`,
    ...errors.map((fault) => `- ${fault.parameter}: ${fault.detail}`),
    ...(after === undefined ? [] : [`Try again after ${after} seconds.`]),
    `Explained at ${urlOf(problemPath(code))}, and by the tool explain with the name ${code}.`,
  ];
  throw new ApiRefusal(lines.join('\n'));
}

/** The only record of a response; undefined if it exceeds the bounds, which are those of an answer by default. */
export async function readRecord(response: IncomingMessage, bytes = MAX_BYTES): Promise<unknown> {
  const { rows } = await readRows(response, { rows: 1, bytes });
  return rows[0];
}
