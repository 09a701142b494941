/** The context for planning a summary or performance query: today, and the language and format of the response. */

import { todayIn } from '../../contract/query/calendar.ts';
import { TEXT_FORMATS } from '../../contract/query/formats.ts';
import type { ListQuery } from '../../contract/query/query.ts';
import type { GroupContext } from '../../plan/aggregation/age-limits.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import type { ReportRequest } from './report-route.ts';

/** Throws the problem `not_acceptable` if the client accepts no text format. */
export const groupContext = (
  { request, principal, query }: ReportRequest<Pick<ListQuery, 'csv' | 'format'>>,
  { timeZone }: { readonly timeZone: string },
): GroupContext => ({
  timeZone,
  today: todayIn(timeZone).toString(),
  locale: responseLanguage(principal, request.headers['accept-language']),
  form: reportFormat(query, request.headers.accept, TEXT_FORMATS),
});
