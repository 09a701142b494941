/** Plans of lists with all fields, by date of creation, for tests that execute plans. */

import { RECORD_FIELDS } from '../../../src/contract/record/records.ts';
import type { ListPlan } from '../../../src/plan/list-plan.ts';

type Particulars = Pick<ListPlan, 'role' | 'from' | 'until'> & Partial<ListPlan>;

export const planWith = (particulars: Particulars): ListPlan => ({
  kind: 'sales',
  dateField: 'created_at',
  programIds: 'all',
  publisherIds: 'all',
  filters: [],
  order: 'asc',
  fields: RECORD_FIELDS[particulars.role],
  form: 'json',
  locale: 'fr',
  ...particulars,
});
