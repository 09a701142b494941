/** The tool that describes what a token may read: role, scope, date, and the names of programs and websites. */

import * as v from 'valibot';
import type { JsonObject } from '../contract/json-object.ts';
import { LISTED_DIRECTORIES } from '../contract/record/directory.ts';
import { todayIn } from '../contract/record/retention.ts';
import { readValue } from '../read-json.ts';
import { type ApiClient, askApi, readRecord } from './api-client.ts';
import { answerReport } from './report-answers.ts';
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
    access: { type: 'object', description: 'What the token may read, and its limits' },
    today: { type: 'string', description: "Today's date in the platform's time zone" },
    ...Object.fromEntries(LISTED_DIRECTORIES.map((of) => [of, ROWS_OUTPUT])),
  },
  ['access', 'today', ...LISTED_DIRECTORIES],
);

const ACCESS = v.looseObject({ time_zone: v.string() });

export async function answerAccess(
  given: JsonObject,
  client: ApiClient,
  signal: AbortSignal,
): Promise<JsonObject> {
  const access = readValue(ACCESS, await readRecord(await askApi(client, '/api/me', signal)));
  const answer: Record<string, unknown> = {
    access,
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
