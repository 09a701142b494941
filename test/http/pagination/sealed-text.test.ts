import { expect, test } from 'vitest';
import { sealedText, unsealedContent } from '../../../src/http/pagination/sealed-text.ts';

const KEY = Buffer.alloc(32, 7);

const sealed = (content: string, boundTo: string): string =>
  sealedText(Buffer.from(content), { key: KEY, boundTo: Buffer.from(boundTo) });

const opened = (text: string, boundTo: string): string | undefined =>
  unsealedContent(text, { key: KEY, boundTo: Buffer.from(boundTo) })?.toString();

/** AES-GCM is secure only if no two different texts with the same key share a nonce. */
const nonceOf = (text: string): Buffer => Buffer.from(text, 'base64url').subarray(0, 12);

test('a sealed text is opened only with the scope that it is bound to', () => {
  expect(opened(sealed('content', 'scope'), 'scope')).toBe('content');
  expect(opened(sealed('content', 'scope'), 'other')).toBeUndefined();
});

test('equal contents with the same scope give equal sealed texts', () => {
  expect(sealed('content', 'scope')).toBe(sealed('content', 'scope'));
});

test('contents and scopes whose joined bytes are equal have different nonces', () => {
  const texts = [
    ['', 'abc'],
    ['a', 'bc'],
    ['ab', 'c'],
    ['abc', ''],
  ] as const;
  const nonces = texts.map((text) => nonceOf(sealed(text[0], text[1])).toString('hex'));
  expect(new Set(nonces).size).toBe(texts.length);
});

test('a sealed text whose nonce was made in another way is still opened', () => {
  const former = 'KTAliuuhvpowVYK1l-ycuZUs5vECuXFz7_HQk70m_PCNSo8';
  expect(nonceOf(former)).not.toEqual(nonceOf(sealed('content', 'scope')));
  expect(opened(former, 'scope')).toBe('content');
});
