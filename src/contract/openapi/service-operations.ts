/** The operations that everyone may call: the state of the service, and the pages that explain it. */

import { PROBLEM_CODES, problemSlug } from '../problems/problem-body.ts';
import { refTo } from './openapi-schemas.ts';
import { DEFAULT_HEADERS, type Operation } from './operation.ts';

const PAGE_HEADERS = [
  ...DEFAULT_HEADERS,
  'Content-Language',
  'Content-Security-Policy',
  'Referrer-Policy',
] as const;

/** What everyone may read. */
const open = {
  tag: 'Service',
  roles: [],
  parameters: {},
  requestHeaders: ['X-Request-Id'],
} as const;

const page = (meaning: string): Operation['answers'] => ({
  200: {
    meaning,
    headers: PAGE_HEADERS,
    content: { 'text/html': { schema: { type: 'string', description: 'A page of HTML' } } },
  },
});

const state = (meaning: string, schema: 'Live' | 'Ready'): Operation['answers'] => ({
  200: {
    meaning,
    headers: DEFAULT_HEADERS,
    content: {
      'application/json': { schema: refTo(schema), example: { status: schema.toLowerCase() } },
    },
  },
});

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    ...open,
    path: '/health/live',
    id: 'live',
    summary: 'Whether the process lives',
    description: 'For whoever restarts the process when it does not answer.',
    answers: state('The process lives.', 'Live'),
    problems: ['request'],
  },
  {
    ...open,
    path: '/health/ready',
    id: 'ready',
    summary: 'Whether questions can be answered',
    description: 'For whoever sends requests only to processes whose database answers.',
    answers: state('The database answers.', 'Ready'),
    problems: ['request', 'database'],
  },
  {
    ...open,
    path: '/openapi.json',
    id: 'document',
    summary: 'This document',
    description: 'The OpenAPI document of this version of the service.',
    answers: {
      200: {
        meaning: 'The document.',
        headers: DEFAULT_HEADERS,
        content: { 'application/json': { schema: { type: 'object', description: 'OpenAPI 3.1' } } },
      },
    },
    problems: ['request'],
  },
  {
    ...open,
    path: '/docs',
    id: 'documentation',
    summary: 'This document as a page',
    description: 'A page for people: it needs no script and nothing from elsewhere.',
    answers: page('The page.'),
    problems: ['request'],
  },
  {
    ...open,
    path: '/problems',
    id: 'problems',
    summary: 'All problems',
    description: 'A page that lists every refusal there is.',
    answers: page('The page.'),
    problems: ['request'],
  },
  {
    ...open,
    path: '/problems/{code}',
    id: 'problem',
    summary: 'One problem',
    description: 'The page to which the `type` of a problem resolves.',
    pathParameters: {
      code: { meaning: 'The code, with dashes', values: PROBLEM_CODES.map(problemSlug) },
    },
    answers: page('What the problem means and what to do.'),
    problems: ['request', 'path'],
  },
];
