import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SECURITY_RULES, type SecurityRule } from './openapi-security-rules.ts';

const text = await readFile(
  new URL('../../../docs/reference/openapi.json', import.meta.url),
  'utf8',
);

test.each(Object.entries(SECURITY_RULES))('%s', (_, brokenPlaces) => {
  expect(brokenPlaces(JSON.parse(text))).toEqual([]);
});

/** For each rule, a change of the document that breaks it. */
const FAULTS = {
  'only a bearer token authenticates': ['"scheme": "bearer"', '"scheme": "negotiate"'],
  'tokens that may be JSON Web Tokens are checked as RFC 8725 demands': ['RFC8725', 'a standard'],
  'no credential is part of a URL': ['"name": "type"', '"name": "access_token"'],
  'no parameter is a URL that the service would follow, except that of a webhook': [
    '"name": "type"',
    '"name": "next_url"',
  ],
  'an operation that is not open requires a token': [
    /"security": \[\s*\{\s*"adminToken": \[\]\s*\}\s*\],\s*"parameters"/,
    '"security": [], "parameters"',
  ],
  'every operation only reads, except those of tokens, webhooks and sign-in links': [
    '"get": {',
    '"post": {',
  ],
  'every operation documents a bad request and a failure': ['"400": {', '"499": {'],
  'an operation that is not open documents a missing token and too many requests': [
    '"401": {',
    '"499": {',
  ],
  'every refusal documents its body': [/("403": \{[\s\S]*?)"content"/, '$1"contents"'],
  'every answer to a token tells what is left of its limits': ['"RateLimit": {', '"Limit": {'],
  'the status 429 has Retry-After': [/("429": [\s\S]*?)"Retry-After"/, '$1"Later"'],
  'every answer tells which origins may read it': ['"Access-Control-Allow-Origin"', '"Origin"'],
  'every text that a client sends is bounded': ['"maxLength": 8192', '"minLength": 0'],
  'every integer has bounds': ['"minimum": 0', '"title": "Number"'],
  'no server is called without TLS': ['"url": "/"', '"url": "http://reports.example.com/"'],
  'every server says whether it is internal': ['"x-internal": false', '"x-external": true'],
} as const satisfies Record<SecurityRule, readonly [string | RegExp, string]>;

test.each(Object.entries(SECURITY_RULES).map(([name, rule]) => ({ name, rule })))(
  'a document that breaks the rule is found: $name',
  ({ name, rule }) => {
    const [, [from, to]] = Object.entries(FAULTS).find(([key]) => key === name) ?? ['', ['', '']];
    const broken = text.replace(from, to);
    expect(broken).not.toBe(text);
    expect(rule(JSON.parse(broken))).not.toEqual([]);
  },
);
