/** The remuneration of publishers by status, which has another name for each role. */

import type { STATUS_NAMES, Status } from '../../../src/contract/record/statuses.ts';

type Numbers = Readonly<Record<string, number | string | null>>;

/** Administrators have `remu_publisher`, and affiliates have `remuneration`. */
export const remunerationBy = (numbers: Numbers, status: (typeof STATUS_NAMES)[Status]): number =>
  Number(numbers[`remu_publisher_${status}`] ?? numbers[`remuneration_${status}`] ?? 0);
