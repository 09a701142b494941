/** MCP server (Model Context Protocol): answers one message of a client, with tools that call the reporting API. */

import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { JsonObject } from '../contract/json-object.ts';
import { VERSION } from '../contract/version.ts';
import { type ApiClient, ApiRefusal } from './api-client.ts';
import { ACCESS_INPUT, ACCESS_OUTPUT, ACCESS_TOOL, answerAccess } from './describe-access.ts';
import { answerExplain, EXPLAIN_INPUT, EXPLAIN_OUTPUT, EXPLAIN_TOOL } from './explain.ts';
import { answerReport, answerTransaction } from './report-answers.ts';
import { InvalidArguments } from './tool-arguments.ts';
import { MAX_MESSAGE } from './tool-bounds.ts';
import {
  inputOf,
  ROWS_OUTPUT,
  toolObjectSchema,
  toolRecordSchema,
  toolSchema,
  WHOLE_URL_SCHEMA,
} from './tool-schemas.ts';
import { operationOf, REPORT_TOOLS, type ReportTool, TRANSACTION_TOOL } from './tools.ts';

const INSTRUCTIONS = `Reports the tracking transactions of an affiliate-marketing platform: impressions, clicks, leads and sales, with their status and money. Everything is read-only.
Begin with describe_access. Prefer measure_performance for numbers; never add up a list or an answer that says it is not complete.
Dates are days of the platform's time zone; both ends of a period are included. Statuses are 0 refused, 1 validated, 2 pending: pending money may still be refused.`;

/** The maximum number of array elements and object members in a tool's arguments, all together. */
const MAX_ELEMENTS = 2000;

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly answer: (given: JsonObject, signal: AbortSignal) => Promise<JsonObject> | JsonObject;
}

/** Every tool, as the role of the client sees it. */
function toolsOf(client: ApiClient): Readonly<Record<string, Tool>> {
  const { role } = client;
  const report = (tool: ReportTool): Tool => ({
    ...tool,
    input: inputOf(operationOf(tool, role), role),
    output: ROWS_OUTPUT,
    answer: async (given, signal) => await answerReport(tool, given, client, signal),
  });
  const reports = Object.entries<ReportTool>(REPORT_TOOLS);
  return {
    describe_access: {
      ...ACCESS_TOOL,
      input: ACCESS_INPUT,
      output: ACCESS_OUTPUT,
      answer: async (given, signal) => await answerAccess(given, client, signal),
    },
    ...Object.fromEntries(reports.map(([name, tool]) => [name, report(tool)])),
    get_transaction: {
      ...TRANSACTION_TOOL,
      input: inputOf(operationOf(TRANSACTION_TOOL, role), role),
      output: toolObjectSchema({ transaction: toolRecordSchema(role), whole: WHOLE_URL_SCHEMA }, [
        'transaction',
        'whole',
      ]),
      answer: async (given, signal) => await answerTransaction(given, client, signal),
    },
    explain: {
      ...EXPLAIN_TOOL,
      input: EXPLAIN_INPUT,
      output: EXPLAIN_OUTPUT,
      answer: (given) => answerExplain(given, role),
    },
  };
}

const BATCH = {
  jsonrpc: '2.0',
  error: { code: -32_600, message: 'Send one message in each request, not a batch.' },
  id: null,
};

/** Answers a POST request of a client, without a session. Batches are refused: they would evade the request limit. */
export async function answerMcp(
  request: Request,
  client: ApiClient,
  onError: (error: Error) => void,
): Promise<Response> {
  const text = await request.clone().text();
  if (text.trimStart().startsWith('[')) return Response.json(BATCH, { status: 400 });
  const handler = createMcpHandler(() => serverFor(client, onError), {
    // No subscriptions: tools never change, and an open stream would evade the limits of the service.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    maxRequestBodySize: MAX_MESSAGE,
  });
  return await handler.fetch(request);
}

function serverFor(client: ApiClient, onError: (error: Error) => void): McpServer {
  const server = new McpServer(
    { name: 'transactions-reporting', title: 'Transactions reporting', version: VERSION },
    {
      instructions: INSTRUCTIONS,
      maxToolInputElements: MAX_ELEMENTS,
      capabilities: { tools: { listChanged: false } },
    },
  );
  for (const [name, tool] of Object.entries(toolsOf(client))) {
    const { title, description, input, output } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: toolSchema(input),
        outputSchema: toolSchema(output),
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
      async (given: JsonObject, { mcpReq }) => await resultOf(tool, given, mcpReq.signal, onError),
    );
  }
  return server;
}

/** The answer as JSON, or an error that tells the model what to do. */
async function resultOf(
  tool: Tool,
  given: JsonObject,
  signal: AbortSignal,
  onError: (error: Error) => void,
) {
  const textOf = (text: string) => [{ type: 'text' as const, text }];
  try {
    const answer = await tool.answer(given, signal);
    return { content: textOf(JSON.stringify(answer)), structuredContent: answer };
  } catch (error) {
    if (error instanceof ApiRefusal || error instanceof InvalidArguments) {
      return { isError: true, content: textOf(error.message) };
    }
    if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
    return {
      isError: true,
      content: textOf('The request failed before its answer was complete. Call the tool again.'),
    };
  }
}
