/** The table of tools that ask the API for rows: what each is for, its path, and how to get the next page. */

import type { Operation } from '../contract/openapi/operation.ts';
import { OPERATIONS } from '../contract/openapi/operations.ts';
import type { ParameterTable } from '../contract/query/parameters.ts';
import type { Role } from '../contract/record/records.ts';

export interface ReportTool {
  readonly title: string;
  /** Tells a language model when to use the tool. */
  readonly description: string;
  /** Below the path of the role. */
  readonly path: string;
  /** The parameter with which the next page begins. Reports without one have a single page. */
  readonly next?: 'cursor' | 'offset' | 'after';
  /** Parameters that the URL of the complete answer leaves out, besides `limit`, `cursor` and `offset`. */
  readonly omittedFromUrl?: readonly string[];
}

/** A new tool is a new line. */
// biome-ignore format: one tool a line
export const REPORT_TOOLS = {
  measure_performance: { title: 'Measure performance', path: 'performance', next: 'offset', description: 'Impressions, clicks, leads, sales, money and ratios such as the conversion rate for a period, in total or by group. Use it for questions about how much, how well, best and worst. `sort=-earnings` with a small `limit` gives a ranking; `compare` adds the former period; `names=true` adds names to identifiers.' },
  summarize_transactions: { title: 'Summarize transactions', path: 'transactions/summary', description: 'Counts and sums of transactions of one or more types, by up to three groupings. Use it where measure_performance lacks a filter or a grouping, such as the status.' },
  list_transactions: { title: 'List transactions', path: 'transactions', next: 'cursor', omittedFromUrl: ['sort'], description: 'Single transactions of one type and period, by date or, with `sort`, by a field, such as `sort=-amount` for the largest. Use it to look at examples or to find a transaction, not to count or add up. Choose `fields` to get more rows into an answer.' },
  list_changes: { title: 'List changes', path: 'transactions/changes', next: 'after', description: 'Transactions that were added or changed, or that the token can no longer read, since a position. Without `after` it returns only the present position: keep `next.after` and ask again later.' },
} as const satisfies Record<string, ReportTool>;

/** The tool for one transaction. */
export const TRANSACTION_TOOL: ReportTool = {
  title: 'Get a transaction',
  path: 'transactions/{type}/{transaction_id}',
  description: 'One transaction by its type and identifier, without a period.',
};

/** Parameters that a model cannot set: the format is always NDJSON, and a model has no use for the others. */
const HIDDEN_FROM_MODELS: readonly string[] = ['format', 'csv', 'wait', 'id_lists'];

/** The operation of the API that a tool calls. */
export function operationOf({ path }: ReportTool, role: Role): Operation {
  const found = OPERATIONS.find((operation) => operation.path === `/api/${role}/${path}`);
  if (found === undefined) throw new TypeError(`The API has no path ${path}.`);
  return found;
}

/** The query parameters that a model can set. */
export const parametersOf = ({ parameters }: Operation): ParameterTable =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !HIDDEN_FROM_MODELS.includes(name)),
  );
