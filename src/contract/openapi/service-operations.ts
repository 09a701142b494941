/** The operations without a token: health checks and documentation. */

import { PROBLEM_CODES, problemSlug } from '../problems/problem-body.ts';
import { refTo } from './openapi-schemas.ts';
import { DEFAULT_HEADERS, type Operation } from './operation.ts';

const PAGE_HEADERS = [
  ...DEFAULT_HEADERS,
  'Content-Language',
  'Content-Security-Policy',
  'Referrer-Policy',
] as const;

/** Operations that need no token. */
const open = {
  tag: 'Service',
  roles: [],
  parameters: {},
  requestHeaders: ['X-Request-Id'],
} as const;

const page = (meaning: string): Operation['responses'] => ({
  200: {
    meaning,
    headers: PAGE_HEADERS,
    content: { 'text/html': { schema: { type: 'string', description: 'An HTML page' } } },
  },
});

const state = (meaning: string, schema: 'Live' | 'Ready'): Operation['responses'] => ({
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
    summary: 'Liveness check',
    description: 'For supervisors that restart a process which does not respond.',
    responses: state('The process responds.', 'Live'),
    problems: ['request'],
  },
  {
    ...open,
    path: '/health/ready',
    id: 'ready',
    summary: 'Readiness check',
    description: 'For load balancers that send requests only to processes whose database responds.',
    responses: state('The database responds.', 'Ready'),
    problems: ['request', 'database'],
  },
  {
    ...open,
    path: '/openapi.json',
    id: 'document',
    summary: 'This document',
    description: 'The OpenAPI document of this version of the service.',
    responses: {
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
    summary: 'This document as a web page',
    description:
      'A page for people. It can be read without scripts and loads nothing from other hosts. With scripts, it can also send requests, with the token that was entered in the explorer at `/`.',
    responses: page('The page.'),
    problems: ['request'],
  },
  {
    ...open,
    path: '/problems',
    id: 'problems',
    summary: 'All problems',
    description: 'A page that lists all problems.',
    responses: page('The page.'),
    problems: ['request'],
  },
  {
    ...open,
    path: '/problems/{code}',
    id: 'problem',
    summary: 'One problem',
    description: 'The page that the `type` of a problem refers to.',
    pathParameters: {
      code: {
        meaning: 'The code of the problem, with hyphens instead of underscores',
        example: problemSlug('invalid_parameters'),
        schema: { type: 'string', enum: PROBLEM_CODES.map(problemSlug) },
      },
    },
    responses: page('What the problem means and what to do.'),
    problems: ['request', 'path'],
  },
];
