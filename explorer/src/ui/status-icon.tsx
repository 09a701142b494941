/** Status icon with a shape and a colour, so that colour alone carries no meaning. */

import { STATUS_NAMES, type Status } from '../../../src/contract/record/statuses.ts';

const SHAPES: Readonly<Record<Status, string>> = {
  0: 'M5 5l6 6M11 5l-6 6',
  1: 'M4 8.5l3 3 5.5-6.5',
  2: 'M8 4.5V8l2.5 2',
};

export const StatusIcon = ({ status }: { readonly status: Status }) => (
  <svg className={`status-sign ${STATUS_NAMES[status]}`} viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="7" />
    <path d={SHAPES[status]} />
  </svg>
);
