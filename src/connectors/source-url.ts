/** Parses the URL of a source. */

import { suggestionFor } from '../contract/query/suggestion.ts';
import { UserError } from '../user-error.ts';
import type { BucketAddress, SourceAddress, SourceTableAddress } from './source-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const SCHEMES = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  s3: 's3',
} as const;

/** The defaults and parameters of the URLs of each kind of database. */
const DATABASES = {
  postgres: {
    port: 5432,
    parameters: ['table', 'schema'],
    user: 'PGUSER',
    password: 'PGPASSWORD',
    example: "'postgres://reader@host:5432/shop?table=orders'",
  },
  mysql: {
    port: 3306,
    parameters: ['table'],
    user: 'MYSQL_USER',
    password: 'MYSQL_PWD',
    example: "'mysql://reader@host:3306/shop?table=orders'",
  },
} as const;

const BUCKET_PARAMETERS = ['endpoint', 'region'];
const BUCKET_EXAMPLE = "'s3://bucket/folder/name?region=eu-west-3'";

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;

/** Whether an argument is a URL; files are named without `://`. */
export const isSourceUrl = (text: string): boolean => URL_FORM.test(text);

/** Parses the URL. The password is in the URL, else in `password` (from a file), else in the environment. */
export function readSourceUrl(
  text: string,
  environment: Environment,
  password?: string,
): SourceAddress {
  const scheme = URL_FORM.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!Object.hasOwn(SCHEMES, scheme)) {
    throw new UserError(
      `${scheme}:// is not a supported source.${suggestionFor(scheme, Object.keys(SCHEMES))}`,
      'Supported are postgres://, mysql:// and s3://. Name a file by its path, without a scheme.',
    );
  }
  const kind = SCHEMES[scheme as keyof typeof SCHEMES];
  return kind === 's3'
    ? bucketAddress(text, environment)
    : databaseAddress(kind, text, environment, password);
}

/** Does not show the URL, which may contain a password. */
const misunderstood = (problem: string, example: string): UserError =>
  new UserError(
    `The URL is invalid: ${problem}`,
    `Write it like ${example}; characters such as @, :, / and # in a user, password or name are written %40, %3A, %2F and %23.`,
  );

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i;

function databaseAddress(
  kind: SourceTableAddress['kind'],
  text: string,
  environment: Environment,
  password: string | undefined,
): SourceTableAddress {
  const { example, ...known } = DATABASES[kind];
  const refuse = (problem: string): never => {
    throw misunderstood(problem, example);
  };
  if (!URL.canParse(text)) return refuse('it is not a URL.');
  const url = new URL(text);
  const parameters = readParameters(url.searchParams, known.parameters, refuse);
  const table = parameters.get('table') ?? refuse('it names no table.');
  const decoded = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      return refuse('it contains a percent sign that must be written %25.');
    }
  };
  const database = decoded(url.pathname.slice(1));
  if (!HOST.test(url.hostname)) return refuse('it names no host.');
  if (database === '' || url.hash !== '') return refuse('it names no database.');
  const user = decoded(url.username) || environment[known.user];
  if (user === undefined) return refuse(`it names no user, and ${known.user} is not set.`);
  const port = url.port === '' ? known.port : Number(url.port);
  const schema = parameters.get('schema');
  const place = `${kind}://${url.hostname}:${port}/${database}`;
  return {
    kind,
    host: url.hostname,
    port,
    database,
    schema,
    table,
    user,
    password: decoded(url.password) || (password ?? environment[known.password] ?? ''),
    name: `${place}?table=${schema === undefined ? '' : `${schema}.`}${table}`,
  };
}

function readParameters(
  given: URLSearchParams,
  known: readonly string[],
  refuse: (problem: string) => never,
): ReadonlyMap<string, string> {
  for (const [name, value] of given) {
    if (!known.includes(name)) {
      refuse(`it has an unknown parameter "${name}".${suggestionFor(name, known)}`);
    }
    if (value === '' || value.includes('\0')) refuse(`its parameter "${name}" has no value.`);
    if (given.getAll(name).length > 1) refuse(`it has the parameter "${name}" more than once.`);
  }
  return new Map(given);
}

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]*)\/([^?#]+)(?:\?(.*))?$/is;

function bucketAddress(text: string, environment: Environment): BucketAddress {
  const refuse = (problem: string): never => {
    throw misunderstood(problem, BUCKET_EXAMPLE);
  };
  const [, bucket = '', key = '', query = ''] = BUCKET.exec(text) ?? [];
  if (bucket === '')
    return refuse(
      'after s3:// it must have a bucket, a slash and a name or folder in it. Access keys belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  const parameters = readParameters(new URLSearchParams(query), BUCKET_PARAMETERS, refuse);
  const endpoint = parameters.get('endpoint') ?? environment.AWS_ENDPOINT_URL;
  const region =
    parameters.get('region') ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (region !== undefined && !/^[a-z0-9-]+$/.test(region)) {
    return refuse(
      'the region in ?region=, AWS_REGION or AWS_DEFAULT_REGION must have only lower-case letters, digits and hyphens, such as eu-west-3.',
    );
  }
  return {
    kind: 's3',
    bucket,
    url: bucketUrl(bucket, region, endpoint, refuse),
    key,
    credentials: credentialsOf(environment),
    name: `s3://${bucket}/${key}`,
  };
}

function bucketUrl(
  bucket: string,
  region: string | undefined,
  endpoint: string | undefined,
  refuse: (problem: string) => never,
): string {
  if (endpoint === undefined) {
    return `https://${bucket}.s3${region === undefined ? '' : `.${region}`}.amazonaws.com`;
  }
  if (URL.canParse(endpoint) && /^https?:\/\/[^@?#{}*]+$/.test(endpoint)) {
    return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  }
  return refuse(
    'the endpoint in ?endpoint= or AWS_ENDPOINT_URL must be a URL that begins with https:// or http:// and contains no @, ?, #, {, } or asterisk.',
  );
}

function credentialsOf(environment: Environment): BucketAddress['credentials'] {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    return {
      keyId: AWS_ACCESS_KEY_ID,
      secret: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN || undefined,
    };
  }
  if (!AWS_ACCESS_KEY_ID && !AWS_SECRET_ACCESS_KEY) return undefined;
  throw new UserError(
    'Only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set.',
    'Set both, or neither for a public bucket.',
  );
}
