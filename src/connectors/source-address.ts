/** Where a source is: a table of a database, or objects in a bucket. */

export interface DatabaseAddress {
  readonly kind: 'postgres' | 'mysql';
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Of PostgreSQL, where the table is not on the user's search path. */
  readonly schema?: string | undefined;
  readonly table: string;
  readonly user: string;
  readonly password: string;
  /** What it is called in reports and errors: without the user and the password. */
  readonly name: string;
}

export interface BucketAddress {
  readonly kind: 's3';
  readonly bucket: string;
  /** The address of the bucket. */
  readonly url: string;
  /** Stars and braces in it are a pattern. */
  readonly key: string;
  /** Absent: the bucket is open to all. */
  readonly credentials?: S3Credentials | undefined;
  readonly name: string;
}

export interface S3Credentials {
  readonly keyId: string;
  readonly secret: string;
  readonly sessionToken?: string | undefined;
}

export type SourceAddress = DatabaseAddress | BucketAddress;

/** What must never be shown. */
export const secretsOf = (address: SourceAddress): readonly string[] =>
  (address.kind === 's3'
    ? [address.credentials?.secret, address.credentials?.sessionToken]
    : [address.password]
  ).filter((secret) => secret !== undefined && secret !== '') as readonly string[];
