/** The statuses of a transaction: the number that files, filters and records have, and its meaning. */

export const STATUS_NAMES = { 0: 'refused', 1: 'validated', 2: 'pending' } as const;

export type Status = keyof typeof STATUS_NAMES;

/** A status as records and filters write it. */
export type StatusCode = `${Status}`;

export const STATUS_TEXTS = Object.keys(STATUS_NAMES) as readonly StatusCode[];

export const STATUSES = STATUS_TEXTS.map(Number) as readonly Status[];

/** The only status that has a date of validation. */
export const VALIDATED: Status = 1;

/** All statuses, for descriptions: `0 refused, 1 validated, …`. */
export const STATUSES_HINT = Object.entries(STATUS_NAMES)
  .map(([status, name]) => `${status} ${name}`)
  .join(', ');
