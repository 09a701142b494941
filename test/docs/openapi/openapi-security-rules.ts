/** Security rules for an OpenAPI document, based on the OWASP API Security Top 10 of 2023. */

type Json = Readonly<Record<string, unknown>>;

interface Place {
  /** The keys from the root of the document to the object. */
  readonly keys: readonly string[];
  readonly object: Json;
}

/** Returns the paths of the places in a document that break the rule. */
type Rule = (document: unknown) => readonly string[];

/**
 * Paths that need no access token, on purpose. They report whether the service works, document it or belong to the
 * sign-in. Their responses contain no data of transactions.
 */
const OPEN_PATHS = [
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/docs',
  '/problems',
  '/problems/{code}',
  '/api/sign-in',
];

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) ? value[key] : undefined;

/** Every object and array of the document, with its path. */
function* placesIn(value: unknown, keys: readonly string[] = []): Generator<Place> {
  if (!isObject(value)) return;
  yield { keys, object: value };
  for (const [key, member] of Object.entries(value)) yield* placesIn(member, [...keys, key]);
}

/** A rule for the places whose path ends with these keys; `*` stands for any key. */
const rule =
  (end: readonly string[], isBroken: (place: Place) => boolean): Rule =>
  (document) =>
    [...placesIn(document)]
      .filter(({ keys }) => endsWith(keys, end))
      .filter(isBroken)
      .map(({ keys }) => keys.join(' › '));

const endsWith = (keys: readonly string[], end: readonly string[]): boolean =>
  end.every((key, at) => {
    const found = keys[keys.length - end.length + at];
    return found !== undefined && (key === '*' || key === found);
  });

const isOpen = ({ keys }: Place): boolean => OPEN_PATHS.includes(keys[1] ?? '');

const lacks = (object: Json, ...names: readonly string[]): boolean =>
  names.some((name) => object[name] === undefined);

const hasType = (schema: unknown, type: string): boolean =>
  [memberOf(schema, 'type')].flat().includes(type);

const isUnbounded = (schema: unknown): boolean =>
  hasType(schema, 'string') &&
  ['maxLength', 'enum', 'const'].every((bound) => memberOf(schema, bound) === undefined);

const RESPONSE = ['responses', '*'];
const PARAMETER = ['parameters', '*'];

/**
 * The rules by name, without two of OWASP. Responses have no maximum size, because lists are streamed. Their texts
 * have no maximum length, because they stay as the tracking stored them.
 */
export const SECURITY_RULES = {
  'only a bearer token authenticates': rule(
    ['securitySchemes', '*'],
    ({ object }) => object.type !== 'http' || object.scheme !== 'bearer',
  ),
  'tokens that may be JSON Web Tokens are checked as RFC 8725 demands': rule(
    ['securitySchemes', '*'],
    // The code of a sign-in link is never a JSON Web Token.
    ({ keys, object }) =>
      keys.at(-1) !== 'signInCode' && !String(object.description).includes('RFC8725'),
  ),
  'no credential is part of a URL': rule(PARAMETER, ({ object }) =>
    /token|secret|password|api-?key/i.test(String(object.name)),
  ),
  'no parameter is a URL that the service would follow, except that of a webhook': rule(
    PARAMETER,
    ({ keys, object }) =>
      /^(?:callback|redirect)|(?:^|_|-)url$|Url$/.test(String(object.name)) &&
      // A webhook may have a URL. Messages go only to public or allowed addresses, and redirects are not followed.
      keys[1] !== '/api/admin/webhooks',
  ),
  'an operation that is not open requires a token': rule(
    ['paths', '*', 'get'],
    (place) => !isOpen(place) && [place.object.security].flat().filter(isObject).length === 0,
  ),
  'every operation only reads, except those of tokens, webhooks and sign-in links': rule(
    ['paths', '*'],
    ({ keys, object }) =>
      !/^\/api\/(?:sign-in$|admin\/(?:tokens|webhooks|sign-in-links)\b)/.test(keys.at(-1) ?? '') &&
      Object.keys(object).some((method) => method !== 'get'),
  ),
  'every operation documents a bad request and a failure': rule(['responses'], ({ object }) =>
    lacks(object, '400', '500'),
  ),
  'an operation that is not open documents a missing token and too many requests': rule(
    ['responses'],
    (place) => !isOpen(place) && lacks(place.object, '401', '429'),
  ),
  'every refusal documents its body': rule(
    RESPONSE,
    ({ keys, object }) => /^[45]/.test(keys.at(-1) ?? '') && !isObject(object.content),
  ),
  'every answer to a token tells what is left of its limits': rule(
    RESPONSE,
    (place) =>
      !isOpen(place) &&
      /^[24]/.test(place.keys.at(-1) ?? '') &&
      memberOf(place.object.headers, 'RateLimit') === undefined,
  ),
  'the status 429 has Retry-After': rule(['responses', '429', 'headers'], ({ object }) =>
    lacks(object, 'Retry-After'),
  ),
  'every answer tells which origins may read it': rule([...RESPONSE, 'headers'], ({ object }) =>
    lacks(object, 'Access-Control-Allow-Origin'),
  ),
  'every text that a client sends is bounded': rule([...PARAMETER, 'schema'], ({ object }) =>
    isUnbounded(object),
  ),
  'every integer has bounds': rule(
    [],
    ({ object }) => hasType(object, 'integer') && lacks(object, 'minimum', 'maximum'),
  ),
  'no server is called without TLS': rule(['servers', '*'], ({ object }) =>
    /^http:/.test(String(object.url)),
  ),
  'every server says whether it is internal': rule(['servers', '*'], ({ object }) =>
    lacks(object, 'x-internal'),
  ),
} as const satisfies Readonly<Record<string, Rule>>;

export type SecurityRule = keyof typeof SECURITY_RULES;
