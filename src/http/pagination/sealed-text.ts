/** Encrypted and authenticated texts for URLs (AES-256-GCM, base64url), bound to the scope in which they are valid. */

import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

const NONCE_SIZE = 12;
const TAG_SIZE = 16;

/** Where a text is valid: the key, and anything else that must be the same when it is opened. */
export interface Seal {
  readonly key: Buffer;
  readonly boundTo: Buffer;
}

export function sealedText(content: Buffer, { key, boundTo }: Seal): string {
  const nonce = nonceOf(content, { key, boundTo });
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo);
  const encrypted = [nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(encrypted).toString('base64url');
}

/**
 * Derives the nonce from the content, so equal contents give equal texts. Different contents get different nonces,
 * as AES-GCM requires.
 */
function nonceOf(content: Buffer, { key, boundTo }: Seal): Buffer {
  // Without the length, the end of `boundTo` could pass for the start of the content.
  const length = Buffer.alloc(4);
  length.writeUInt32BE(boundTo.length);
  const digest = createHmac('sha256', key).update(length).update(boundTo).update(content).digest();
  return digest.subarray(0, NONCE_SIZE);
}

/** Undefined if the text was not sealed with the same key and the same `boundTo`. */
export function unsealedContent(text: string, { key, boundTo }: Seal): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Several base64url texts decode to the same bytes; only the canonical one is accepted.
  if (bytes.length < NONCE_SIZE + TAG_SIZE || bytes.toString('base64url') !== text)
    return undefined;
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_SIZE))
    .setAAD(boundTo)
    .setAuthTag(bytes.subarray(-TAG_SIZE));
  try {
    const content = cipher.update(bytes.subarray(NONCE_SIZE, -TAG_SIZE));
    return Buffer.concat([content, cipher.final()]);
  } catch {
    return undefined;
  }
}
