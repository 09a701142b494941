/** An operation on a webhook that is refused, for commands and requests alike. */

import { UserError } from '../../user-error.ts';

/** What is wrong; the message says why. */
export type RefusedPart = 'url' | 'since' | 'count';

export class WebhookRefused extends UserError {
  readonly part: RefusedPart;

  constructor(part: RefusedPart, message: string, next: string, options?: ErrorOptions) {
    super(message, next, options);
    this.part = part;
  }
}
