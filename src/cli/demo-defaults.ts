/** What `transactions demo` uses if no flag and no environment variable says otherwise. */

/** Enough for data of a full year on every screen of the explorer, and few enough to be imported in seconds. */
export const DEMO_ROWS = '200000';

export const DEMO_DATABASE = 'chdb:./data/demo';
export const DEMO_TIME_ZONE = 'Europe/Paris';
export const DEMO_CURRENCY = 'EUR';
