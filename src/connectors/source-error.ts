/** Translates errors of a source into messages with advice, and removes secrets. */

import { saysFullDisk } from '../ingest/full-disk.ts';
import { ImportRefused } from '../ingest/import-refused.ts';
import { literal } from '../plan/sql.ts';
import { UserError } from '../user-error.ts';
import { type SourceAddress, secretsOf } from './source-address.ts';

interface Failure {
  /** Matches the message of the engine. */
  readonly sign: RegExp;
  readonly problem: string;
  readonly next: string;
}

const PASSWORD = {
  postgres: 'PGPASSWORD',
  mysql: 'MYSQL_PWD',
  s3: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
};

const READ_GRANT = 'Give it the right to read: GRANT SELECT ON … TO …';

/** The first match counts. */
const failuresOf = (kind: SourceAddress['kind']): readonly Failure[] => [
  {
    sign: /no pg_hba\.conf entry/,
    problem: 'the server refuses connections from this host for this user and database',
    next: 'Add this host to its pg_hba.conf, or use TLS: PGSSLMODE=require',
  },
  {
    sign: /to database '/,
    problem: 'there is no such database, or this user may not see it',
    next: READ_GRANT,
  },
  {
    sign: /database ".*" does not exist|Unknown database/,
    problem: 'there is no such database',
    next: 'Name the database in the URL, after the host.',
  },
  {
    sign: /authentication failed|no password supplied|Access denied for user|role ".*" does not exist/,
    problem: 'the source does not accept the user with this password',
    next: `Give the password in ${PASSWORD[kind]} or in a file: --source-password-file FILE`,
  },
  {
    sign: /permission denied|command denied/,
    problem: 'this user may not read the table',
    next: READ_GRANT,
  },
  {
    sign: /NoSuchBucket/,
    problem: 'there is no such bucket',
    next: 'Check the name and the region: ?region=eu-west-3',
  },
  {
    sign: /response code: 404|NoSuchKey/,
    problem: 'there is no such object',
    next: 'List the objects: aws s3 ls s3://BUCKET/',
  },
  {
    sign: /response code: 40[013]|AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|Access Denied/,
    problem: 'these credentials may not read the bucket or the object',
    next: `Set ${PASSWORD.s3}, and the region: ?region=eu-west-3`,
  },
  {
    sign: /canceling statement due to (?:statement|lock) timeout/,
    problem: 'it stopped the query',
    next: 'Give the user a longer statement_timeout and lock_timeout, or read less: --since DATE',
  },
  {
    sign: /refused|Can't connect|could not translate|Unknown server host|[Tt]imed? ?out|timeout|not known|Host not found|DNS|No route/,
    problem: 'it cannot be reached',
    next: 'Check the host and the port in the URL (of a bucket: ?endpoint= and ?region=), and whether this machine can reach them.',
  },
];

/** Begins what a database server says, for example that its own disk is full. */
const SERVER_MESSAGE = /\b(?:FATAL|ERROR):|mysqlxx::/;

/** The error to show to the user. `directory` is the one into which the source is read. */
export function sourceError(address: SourceAddress, error: unknown, directory: string): UserError {
  if (error instanceof UserError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (saysFullDisk(error) && !SERVER_MESSAGE.test(message)) {
    return new UserError(
      `The disk of ${directory} is full, so ${address.name} could not be read.`,
      'Make room on it, then run the same command again.',
    );
  }
  if (error instanceof ImportRefused) {
    return new UserError(
      message,
      'Map its columns to fields: --mapping FILE, see docs/how-to/import-from-a-database.md',
    );
  }
  const found = failuresOf(address.kind).find(({ sign }) => sign.test(message));
  return new UserError(
    `${address.name}: ${found?.problem ?? 'it could not be read'}: ${said(address, message)}`,
    found?.next ?? 'Try the same with another client of the source.',
  );
}

/** The message of the source itself, without the engine's additions and without secrets. */
function said(address: SourceAddress, message: string): string {
  // Secrets are replaced before the text is cut, so that no part of one remains.
  const own = withoutSecrets(address, message)
    .replace(/^.*?DB::Exception: /s, '')
    .replace(/^.*?(FATAL|ERROR):\s*/s, '')
    .replace(/^.* failed with error: /s, '')
    .replace(/^.*mysqlxx::\w+: /s, '')
    .replace(/ \(\S+:\d+\)\.?\s*(\([A-Z_]+\))?\s*$/, '')
    .replace(/\s*\([A-Z_0-9]+\)\s*$/, '')
    .split('\n')[0];
  return (own ?? '').trim().slice(0, 200);
}

/** Replaces secrets, also in quoted form. Longer ones go first, as one may contain another. */
function withoutSecrets(address: SourceAddress, text: string): string {
  const forms = secretsOf(address).flatMap((secret) => [secret, literal(secret).slice(1, -1)]);
  return forms
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}
