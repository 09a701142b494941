/** The leads and sales that visits will lead to, hour by hour. */

import type { Random } from '../random/random.ts';
import { HOUR } from '../random/wall-clock.ts';
import type { TrackingEvent, Visit } from './tracking-event.ts';
import { COOKIE_WINDOW } from './visits.ts';

export type Action = Omit<TrackingEvent, 'number'> & { readonly visit: Visit };

export class ExpectedActions {
  readonly #byHour = new Map<number, Action[]>();
  #hour = 0;

  /** The actions of the current hour, and those that earlier hours had no room for. */
  #due: Action[] = [];

  /** Call it for each hour in order. */
  beginHour(start: number): void {
    this.#hour = start;
    this.#due.push(...(this.#byHour.get(start) ?? []));
    this.#byHour.delete(start);
  }

  add(action: Action): void {
    const hour = action.moment - (action.moment % HOUR);
    if (hour <= this.#hour) this.#due.push(action);
    else this.#byHour.set(hour, [...(this.#byHour.get(hour) ?? []), action]);
  }

  /** The next action of the current hour. Actions after the cookie window of their click are dropped. */
  next(random: Random): Action | undefined {
    const end = this.#hour + HOUR;
    while (this.#due.length > 0) {
      const action = this.#due.shift();
      if (action === undefined || end - action.visit.clickedAt > COOKIE_WINDOW) continue;
      if (action.moment >= this.#hour) return action;
      return { ...action, moment: random.integer(this.#hour, end - 1) };
    }
    return undefined;
  }
}
