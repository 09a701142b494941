/** The tool that describes what a token may read: role, scope, date, and the names of programs and websites. */

import * as v from 'valibot';
import type { JsonObject } from '../contract/json-object.ts';
import { todayIn } from '../contract/query/calendar.ts';
import { LISTED_DIRECTORIES } from '../contract/record/directory.ts';
import { readValue } from '../read-json.ts';
import { type ApiClient, askApi, readRecord } from './api-client.ts';
import { answerReport } from './report-answers.ts';
import { MAX_ROWS } from './tool-bounds.ts';
import { ROWS_OUTPUT, toolObjectSchema } from './tool-schemas.ts';
import type { ReportTool } from './tools.ts';

export const ACCESS_TOOL = {
  title: 'Describe access',
  description:
    "What the token may read: its role, websites and programs, the currency, the time zone and today's date in it, the limits, and the identifiers and names of programs and publishers (websites). Use it first, and with `search` to find the identifier of a name.",
} as const;

export const ACCESS_INPUT = toolObjectSchema(
  {
    search: {
      type: 'string',
      description: 'Only programs and publishers whose name contains this text',
    },
    limit: { type: 'integer', description: 'The maximum number of each, 1 to 200' },
  },
  [],
);

export const ACCESS_OUTPUT = toolObjectSchema(
  {
    access: {
      type: 'object',
      description: `What the token may read, and its limits. If complete is false, a list of identifiers has only the first ${MAX_ROWS}; note says of how many, and whole is the URL of all`,
    },
    today: { type: 'string', description: "Today's date in the platform's time zone" },
    ...Object.fromEntries(LISTED_DIRECTORIES.map((of) => [of, ROWS_OUTPUT])),
  },
  ['access', 'today', ...LISTED_DIRECTORIES],
);

const ME = '/api/me';

/** The most bytes of the response, which has all websites and programs of the token: about 200,000 of them. */
const MAX_ACCESS_BYTES = 2_000_000;

const SCOPE = v.union([v.literal('all'), v.array(v.number())]);

const SCOPES = ['publisher_ids', 'program_ids'] as const;

const ACCESS = v.looseObject({
  time_zone: v.string(),
  publisher_ids: SCOPE,
  program_ids: SCOPE,
});

type Access = v.InferOutput<typeof ACCESS>;

export async function answerAccess(
  given: JsonObject,
  client: ApiClient,
  signal: AbortSignal,
): Promise<JsonObject> {
  const response = await askApi(client, ME, signal);
  const access = readValue(ACCESS, await readRecord(response, MAX_ACCESS_BYTES));
  const answer: Record<string, unknown> = {
    access: shortened(access, client.urlOf(ME)),
    today: todayIn(access.time_zone).toString(),
  };
  for (const of of LISTED_DIRECTORIES) {
    const tool: ReportTool = { ...ACCESS_TOOL, path: of, next: 'cursor' };
    // Without `next`: one call reads both lists, but a cursor is valid for one of them only.
    const { rows, complete, whole } = await answerReport(tool, given, client, signal);
    answer[of] = { rows, complete, whole };
  }
  return answer;
}

/** With at most the first identifiers of each list, and what is missing. */
function shortened(access: Access, whole: string): JsonObject {
  const cut = SCOPES.filter((name) => access[name] !== 'all' && access[name].length > MAX_ROWS);
  if (cut.length === 0) return { ...access, complete: true, whole };
  const first = cut.map((name) => [name, access[name].slice(0, MAX_ROWS)]);
  const counts = cut.map((name) => `the first ${MAX_ROWS} of ${access[name].length} ${name}`);
  const note = `The answer is truncated: it has only ${counts.join(' and ')}. The token may read all of them. Read the complete answer at its URL.`;
  return { ...access, ...Object.fromEntries(first), complete: false, note, whole };
}
