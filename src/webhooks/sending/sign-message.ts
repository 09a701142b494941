/** Signs messages as Standard Webhooks defines: HMAC-SHA256 of the id, the time of sending and the body. */

import { createHmac } from 'node:crypto';
import { VERSION } from '../../contract/version.ts';
import type { SignedMessage } from './post-message.ts';

export interface Message {
  readonly id: string;
  readonly body: Buffer;
}

/** The message with a signature for each secret. `now` is in milliseconds. */
export function signedMessage(
  { id, body }: Message,
  secrets: readonly string[],
  now: number,
): SignedMessage {
  const seconds = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${seconds}.`, body));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': `transactions-reporting/${VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': signatures.join(' '),
    },
  };
}

function signatureOf(secret: string, prefix: string, body: Buffer): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`;
}
