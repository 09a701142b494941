/** The headers of a list that tell what it is. */

import type { ReportQuery } from '../contract/query.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { formatOf } from './report-form.ts';

export function reportHeaders(plan: ReportPlan, query: ReportQuery): Record<string, string> {
  const { mediaType, extension } = formatOf(plan.form);
  const name = `${query.type}_${query.start_date}_${query.end_date}.${extension}`;
  // A browser shows JSON; everything else it keeps.
  const disposition = plan.form === 'json' ? 'inline' : 'attachment';
  return {
    'content-type': mediaType,
    'content-language': plan.locale,
    'content-disposition': `${disposition}; filename="${name}"`,
  };
}
