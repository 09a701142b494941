/** The headers of a list that tell what it is. */

import type { ReportQuery } from '../../contract/query/query.ts';
import type { Presentation, ReportPlan } from '../../plan/report-plan.ts';
import { formatOf } from '../negotiation/report-format.ts';

export const reportHeaders = (plan: ReportPlan, query: ReportQuery): Record<string, string> =>
  answerHeaders(plan, `${query.type}_${query.start_date}_${query.end_date}`);

/** The same of any answer, to be kept under a name. */
export function answerHeaders(
  { form, locale }: Presentation,
  name: string,
): Record<string, string> {
  const { mediaType, extension } = formatOf(form);
  // A browser shows JSON; everything else it keeps.
  const disposition = form === 'json' ? 'inline' : 'attachment';
  return {
    'content-type': mediaType,
    'content-language': locale,
    'content-disposition': `${disposition}; filename="${name}.${extension}"`,
  };
}
