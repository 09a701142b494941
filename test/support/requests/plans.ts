/** Plans of whole records by date of creation, for tests of their execution. */

import { RECORDS } from '../../../src/contract/record/records.ts';
import type { ReportPlan } from '../../../src/plan/report-plan.ts';

type Particulars = Pick<ReportPlan, 'role' | 'from' | 'until'> & Partial<ReportPlan>;

export const planWith = (particulars: Particulars): ReportPlan => ({
  kind: 'sales',
  dateField: 'created_at',
  programIds: 'all',
  publisherIds: 'all',
  filters: [],
  order: 'asc',
  fields: RECORDS[particulars.role],
  form: 'json',
  locale: 'fr',
  ...particulars,
});
