/** Parses `DATABASE_URL`. */

import { resolve } from 'node:path';
import { suggestionFor } from '../contract/query/suggestion.ts';
import type { ClickHouseAddress } from '../engine/clickhouse/clickhouse-address.ts';
import { UserError } from '../user-error.ts';

/** An embedded database in a directory, or a database on ClickHouse servers. */
export type DatabaseAddress =
  | { readonly kind: 'chdb'; readonly directory: string }
  | { readonly kind: 'clickhouse'; readonly servers: ClickHouseAddress };

const SERVER_SCHEMES: readonly string[] = ['clickhouse', 'clickhouses'];

const SERVERS = /^(clickhouses?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^@/]+)\/(\w+)$/i;

/** The default ports of the HTTP interface, plain and with TLS. */
const PORTS = { clickhouse: 8123, clickhouses: 8443 } as const;

/** `password` is used if the URL has none. It comes from a file, which the process list does not show. */
export function readDatabaseUrl(url: string, password = ''): DatabaseAddress {
  const [, scheme, rest] = /^([a-z]+):(.*)$/i.exec(url) ?? [];
  if (scheme?.toLowerCase() === 'chdb' && rest) {
    return { kind: 'chdb', directory: resolve(rest.replace(/^\/\/(?=\/)/, '')) };
  }
  const servers = SERVERS.exec(url);
  if (servers === null) throw misunderstood(scheme ?? '');
  try {
    return { kind: 'clickhouse', servers: distinct(readServers(servers, password)) };
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw misunderstood(scheme ?? '', cause);
  }
}

/** A server that is named twice would hide that another server of the cluster is missing. */
function distinct(servers: ClickHouseAddress): ClickHouseAddress {
  const { hosts } = servers;
  if (new Set(hosts.map((host) => host.toLowerCase())).size === hosts.length) return servers;
  throw new UserError(
    'The database URL names a server twice.',
    'Name each server once: DATABASE_URL=clickhouse://user@host:8123,host2:8123/database',
  );
}

/** Does not show the URL, which may contain a password. */
function misunderstood(scheme: string, cause?: unknown): UserError {
  const isServer = SERVER_SCHEMES.includes(scheme.toLowerCase());
  const hint = isServer
    ? ' It must name a host and a database; characters such as @, : and / in a user or password are written %40, %3A and %2F.'
    : suggestionFor(scheme, ['chdb', ...SERVER_SCHEMES]);
  return new UserError(
    `The database URL is invalid.${hint}`,
    'Name a directory for the embedded database: --database chdb:./data\n' +
      'or a server: DATABASE_URL=clickhouse://user:password@host:8123/database',
    { cause },
  );
}

function readServers(parts: readonly string[], password: string): ClickHouseAddress {
  const [, scheme = '', user = '', secret, hosts = '', database = ''] = parts;
  const isSecure = scheme.toLowerCase() === 'clickhouses';
  const port = isSecure ? PORTS.clickhouses : PORTS.clickhouse;
  return {
    hosts: hosts.split(',').map((host) => {
      const place = /:\d+$/.test(host) ? host : `${host}:${port}`;
      return `${isSecure ? 'https' : 'http'}://${place}`;
    }),
    username: decodeURIComponent(user) || 'default',
    password: secret === undefined ? password : decodeURIComponent(secret),
    database,
  };
}
