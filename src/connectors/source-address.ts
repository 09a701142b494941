/** The address of a source: a table of a database, or objects in a bucket. */

import * as v from 'valibot';

export interface SourceTableAddress {
  readonly kind: 'postgres' | 'mysql';
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** PostgreSQL only, if the table is not on the user's search path. */
  readonly schema?: string | undefined;
  readonly table: string;
  readonly user: string;
  readonly password: string;
  /** Shown in reports and errors: without the user and the password. */
  readonly name: string;
}

export interface BucketAddress {
  readonly kind: 's3';
  readonly bucket: string;
  /** The URL of the bucket. */
  readonly url: string;
  /** May contain the patterns `*` and `{}`. */
  readonly key: string;
  /** Absent for a public bucket. */
  readonly credentials?: S3Credentials | undefined;
  readonly name: string;
}

export interface S3Credentials {
  readonly keyId: string;
  readonly secret: string;
  readonly sessionToken?: string | undefined;
}

export type SourceAddress = SourceTableAddress | BucketAddress;

export const SOURCE_ADDRESS: v.GenericSchema<unknown, SourceAddress> = v.variant('kind', [
  v.strictObject({
    kind: v.picklist(['postgres', 'mysql']),
    host: v.string(),
    port: v.number(),
    database: v.string(),
    schema: v.optional(v.string()),
    table: v.string(),
    user: v.string(),
    password: v.string(),
    name: v.string(),
  }),
  v.strictObject({
    kind: v.literal('s3'),
    bucket: v.string(),
    url: v.string(),
    key: v.string(),
    credentials: v.optional(
      v.strictObject({
        keyId: v.string(),
        secret: v.string(),
        sessionToken: v.optional(v.string()),
      }),
    ),
    name: v.string(),
  }),
]);

/** Tells sources apart, without users and passwords. Only Amazon S3 gives each bucket a name of its own. */
export function identityOf(address: SourceAddress): string {
  if (address.kind !== 's3') return address.name;
  const isAmazon = new URL(address.url).hostname.endsWith('.amazonaws.com');
  return isAmazon ? address.name : `${address.url}/${address.key}`;
}

/** Texts that must never be shown. */
export const secretsOf = (address: SourceAddress): readonly string[] =>
  (address.kind === 's3'
    ? [address.credentials?.secret, address.credentials?.sessionToken]
    : [address.password]
  ).filter((secret) => secret !== undefined && secret !== '') as readonly string[];
