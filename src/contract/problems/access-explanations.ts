/** The explanations of problems with tokens, their rights and their limits. */

import { LINK_MINUTES } from '../tokens/lifetime.ts';
import {
  MAX_LINKS,
  MAX_LINKS_PER_CREATOR,
  MAX_TOKENS_PER_CREATOR,
} from '../tokens/token-limits.ts';
import { MAX_WEBHOOKS, MAX_WEBHOOKS_PER_CREATOR } from '../webhooks/webhook-limits.ts';
import { type Explanation, TRY_AGAIN } from './explanation.ts';
import type { ProblemCode } from './problems.ts';

const ASK_FOR_TOKEN =
  'Ask the operator of the service for a token. The operator creates one with `transactions token create`, which shows it once.';

export const ACCESS_EXPLANATIONS = {
  token_missing: {
    origin: 'token',
    meaning:
      'The request has no header `Authorization` with the scheme `Bearer`. The service ignores tokens in the URL, in cookies and in bodies, because they can end up in logs.',
    remedy: `Send the header \`Authorization: Bearer <ACCESS_TOKEN>\`. ${ASK_FOR_TOKEN}`,
  },
  token_malformed: {
    origin: 'token',
    meaning:
      'The text after `Bearer` cannot be a token: it is incomplete, has quotes around it or text after it, or the header is repeated. Tokens of this service end with a checksum, which detects typing errors.',
    remedy:
      'Copy the complete token again, without quotes or line breaks, and send the header once. Check whether a proxy or a library adds the header again.',
  },
  token_invalid: {
    origin: 'token',
    meaning:
      'The token is well-formed, but this service does not know it. It belongs to another environment or database, or it is a JSON Web Token from a provider that is not configured, for another audience, or with an invalid signature.',
    remedy: `Check that the token and the URL belong to the same environment. ${ASK_FOR_TOKEN}`,
  },
  token_expired: {
    origin: 'token',
    meaning: 'The token was valid, but it has expired.',
    remedy: `${ASK_FOR_TOKEN} If the token is from an identity provider, sign in again or use the refresh token.`,
  },
  token_revoked: {
    origin: 'token',
    meaning:
      'The token was valid, but it was revoked, or the operator has blocked the subject (`sub`) of the JSON Web Token.',
    remedy: ASK_FOR_TOKEN,
  },
  sign_in_link_invalid: {
    origin: 'link',
    meaning:
      'The service does not accept the code of the sign-in link: it is incomplete or unknown, it was used or revoked, or its 15 minutes are over. The response does not say which. Some mail scanners open links to check them, and a link works only once.',
    remedy:
      'Ask for a new link. The operator creates one with `transactions token create --link`. Administrators whose token may manage tokens create one with `POST /api/admin/sign-in-links`.',
  },
  wrong_role: {
    origin: 'role',
    meaning:
      'The token is valid, but for the other endpoint. Tokens of administrators read `/api/admin/…`, tokens of affiliates read `/api/affiliate/…`, and no token reads both.',
    remedy: 'Call the endpoint of your role, or ask the operator for a token with the other role.',
  },
  publisher_forbidden: {
    origin: 'query',
    meaning:
      'The request has a `publisher_id` that the token has no access to. The response does not depend on whether that website exists.',
    remedy:
      'Request one of your own websites, or omit `publisher_id` to read all of them. If one of your websites is missing, ask the operator for a token that includes it.',
  },
  program_forbidden: {
    origin: 'query',
    meaning:
      'The request has a `program_id`, and the token is limited to other programs. The response does not depend on whether that program exists.',
    remedy:
      'Request one of your own programs, or omit `program_id` to read all of them. If one of your programs is missing, ask the operator for a token that includes it.',
  },
  origin_forbidden: {
    origin: 'mcp',
    meaning:
      'A web page of another origin called the MCP server. The host name of that page may point to this server to reach it from inside a network (DNS rebinding), so only pages of configured origins may call it.',
    remedy:
      'Call the MCP server from a program instead of a page. For a page, the operator adds its origin to `CORS_ORIGINS`.',
  },
  token_management_forbidden: {
    origin: 'management',
    meaning:
      'The request manages access tokens or webhooks, and its own token may not do this. Tokens of an identity provider never may. No token may revoke another one that manages tokens.',
    remedy:
      'Ask the operator. `transactions token create --role admin --may-manage-tokens` creates a token that may manage tokens and webhooks. The operator can also manage all of them with `transactions token` and `transactions webhook`.',
  },
  token_too_wide: {
    origin: 'management',
    meaning:
      'The new token or webhook would read programs that the token of the request cannot read, or would be valid for longer than it. A token can only give rights that it has. A webhook does not expire, so a token that expires cannot add one.',
    remedy:
      'Name programs of your own token in `program_id`, and choose an earlier end in `expires`, or ask the operator for the token or webhook.',
  },
  token_not_found: {
    origin: 'managed-token',
    meaning:
      'The path names a token that does not exist, or that has rights which the token of the request does not have. The response does not say which.',
    remedy: 'Take the id from `GET /api/admin/tokens`.',
  },
  webhook_not_found: {
    origin: 'webhook',
    meaning:
      'The path names a webhook that does not exist, or that delivers what the token of the request cannot read. The response does not say which.',
    remedy: 'Take the id from `GET /api/admin/webhooks`.',
  },
  too_many_webhooks: {
    origin: 'webhook',
    meaning: `The token of the request has added ${MAX_WEBHOOKS_PER_CREATOR} webhooks, or the service has ${MAX_WEBHOOKS}. Each may have a message under way at the same time, so their number is limited. The response says which limit it is.`,
    remedy: 'Remove a webhook that is no longer used, then add the new one.',
  },
  too_many_links: {
    origin: 'new-link',
    meaning: `The token of the request has created ${MAX_LINKS_PER_CREATOR} sign-in links that nobody has used yet, or the service has ${MAX_LINKS} of them. The response says which limit it is. Links that were used or revoked, or have expired, do not count.`,
    remedy: `Revoke links that are not needed with \`DELETE /api/admin/tokens/{id}\`, or wait: a link expires after ${LINK_MINUTES} minutes.`,
  },
  too_many_tokens: {
    origin: 'new-token',
    meaning: `The token of the request has created ${MAX_TOKENS_PER_CREATOR} tokens that are valid, or will be once a sign-in link is used. Tokens that were revoked or have expired do not count.`,
    remedy:
      'Revoke tokens that are not used any more with `DELETE /api/admin/tokens/{id}`, or ask the operator, whose commands have no such limit.',
  },
  too_many_requests: {
    origin: 'token',
    meaning:
      'The token has reached its limit of requests per minute. Each token has its own limit.',
    remedy:
      'Wait for the number of seconds in the header `Retry-After`. The headers `RateLimit` and `RateLimit-Policy` of every response to a request with a valid token show the limit and what is left of it. A request for a year counts as much as a request for a day, so request longer periods instead of many short ones.',
  },
  too_many_invalid_tokens: {
    origin: 'attempts',
    meaning:
      'Many requests with unknown access tokens, or with sign-in links that are not accepted, came from this network address within a minute. The service counts tokens and links separately. It refuses further ones from there without looking them up. Tokens that it knows are not affected.',
    remedy: `Wait for the number of seconds in the header \`Retry-After\`, and check the token before you send it again. ${ASK_FOR_TOKEN} Behind a proxy all clients have its address, so the operator sets \`TRUSTED_PROXIES\`.`,
  },
  too_many_downloads: {
    origin: 'query',
    meaning:
      'The token has reached its limit of concurrent downloads. A download counts until its last byte was read or its connection is closed.',
    remedy:
      'Read the running downloads to their end or close them, then send the request again. A period can have any length, so one download can have everything.',
  },
  identity_provider_unavailable: {
    origin: 'provider',
    meaning:
      'The token is from an identity provider, or the explorer asks how to sign in through it. The service needs the provider’s keys and addresses, and could not get them. The token was neither accepted nor refused.',
    remedy: `${TRY_AGAIN} If the problem persists, the operator checks \`OIDC_ISSUER\` and whether the service can reach it.`,
  },
} as const satisfies { readonly [code in ProblemCode]?: Explanation };
