/** Answers of the tools for reports: bounded rows, what is missing, and the URL of the complete answer. */

import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../contract/json-object.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import { type ApiClient, ApiRefusal, askApi, readRecord } from './api-client.ts';
import { type BoundedRows, readRows } from './read-rows.ts';
import { type ArgumentTexts, readArguments, targetOf } from './tool-arguments.ts';
import { MAX_BYTES, MAX_ROWS } from './tool-bounds.ts';
import { operationOf, type ReportTool, TRANSACTION_TOOL } from './tools.ts';

interface Page extends BoundedRows {
  /** The value of the parameter with which the next page begins. */
  readonly next: string | undefined;
}

/** Parameters that select a page. The URL of the complete answer has none of them. */
const OF_PAGES = ['limit', 'cursor', 'offset'];

/** A page of rows. If it is too large, it is read again with a lower `limit`, so that `next` skips no rows. */
export async function answerReport(
  tool: ReportTool,
  given: JsonObject,
  client: ApiClient,
  signal: AbortSignal,
): Promise<JsonObject> {
  const operation = operationOf(tool, client.role);
  const texts = readArguments(tool, client.role, given);
  const { next } = tool;
  const read = async (limit: string | undefined) =>
    await readPage(operation, withLimit(texts, limit), next, client, signal);
  let page = await read(texts.get('limit')?.[0]);
  if (page.hasMore && next !== undefined && page.rows.length > 0) {
    page = await read(String(page.rows.length));
  }
  const omittedFromUrl = [...OF_PAGES, ...(tool.omittedFromUrl ?? [])];
  const asked = [...texts].filter(([name]) => !omittedFromUrl.includes(name));
  return {
    ...pageAnswer(page, next, texts),
    whole: client.urlOf(targetOf(operation, new Map(asked))),
  };
}

const withLimit = (texts: ArgumentTexts, limit: string | undefined): ArgumentTexts =>
  limit === undefined ? texts : new Map([...texts, ['limit', [limit]]]);

async function readPage(
  operation: Operation,
  texts: ArgumentTexts,
  next: ReportTool['next'],
  client: ApiClient,
  signal: AbortSignal,
): Promise<Page> {
  const target = targetOf(operation, new Map([...texts, ['format', ['ndjson']]]));
  const response = await askApi(client, target, signal);
  const read = await readRows(response, { rows: MAX_ROWS, bytes: MAX_BYTES });
  return { ...read, next: next === undefined ? undefined : nextIn(response, next) };
}

/** The value of a parameter in the link to the next page. */
function nextIn({ headers: { link } }: IncomingMessage, name: string): string | undefined {
  const url = /^<([^>]*)>; rel="next"$/.exec(String(link))?.[1];
  return url === undefined
    ? undefined
    : (new URL(url, 'http://server').searchParams.get(name) ?? undefined);
}

function pageAnswer(
  { rows, hasMore, next }: Page,
  name: ReportTool['next'],
  texts: ArgumentTexts,
): JsonObject {
  if (hasMore) return { rows, complete: false, note: incompleteNote(rows.length) };
  if (next === undefined || name === undefined) return { rows, complete: true };
  // The change feed always has a next page. It is complete when a page has no rows.
  const complete = name === 'after' && rows.length === 0;
  const note = complete
    ? {}
    : {
        note: 'There may be more rows. Call the tool again with the arguments in next until complete is true.',
      };
  // A cursor replaces the offset of the first page.
  const replaced = name === 'cursor' && texts.has('offset') ? { offset: null } : {};
  return { rows, complete, ...note, next: { [name]: next, ...replaced } };
}

const incompleteNote = (count: number): string =>
  `The answer is truncated: it has only the first ${count} rows, as an answer has at most ${MAX_ROWS} rows and ${MAX_BYTES} bytes. Do not add them up. Ask for fewer groups, fewer fields or a shorter period, or read the complete answer at its URL.`;

/** One transaction. */
export async function answerTransaction(
  given: JsonObject,
  client: ApiClient,
  signal: AbortSignal,
): Promise<JsonObject> {
  const operation = operationOf(TRANSACTION_TOOL, client.role);
  const texts = readArguments(TRANSACTION_TOOL, client.role, given);
  const target = targetOf(operation, texts);
  const transaction = await readRecord(await askApi(client, target, signal));
  if (transaction === undefined) {
    throw new ApiRefusal(
      'The transaction is too large for an answer. Select fewer fields with the parameter fields.',
    );
  }
  return { transaction, whole: client.urlOf(target) };
}
