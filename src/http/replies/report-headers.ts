/** Headers that describe a report: media type, language and file name. */

import type { ListQuery } from '../../contract/query/query.ts';
import type { ListPlan, Presentation } from '../../plan/list-plan.ts';
import { formatOf } from '../negotiation/report-format.ts';

export const listHeaders = (plan: ListPlan, query: ListQuery): Record<string, string> =>
  reportHeaders(plan, `${query.type}_${query.start_date}_${query.end_date}`);

/** The file name is given without its extension. */
export function reportHeaders(
  { form, locale }: Presentation,
  fileName: string,
): Record<string, string> {
  const { mediaType, extension } = formatOf(form);
  // So browsers display JSON, and save every other format as a file.
  const disposition = form === 'json' ? 'inline' : 'attachment';
  return {
    'content-type': mediaType,
    'content-language': locale,
    'content-disposition': `${disposition}; filename="${fileName}.${extension}"`,
  };
}
