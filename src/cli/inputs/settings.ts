/** The table of settings: a value comes from a flag, else an environment variable, else a default. */

import { DEFAULT_CLAIM_NAMES } from '../../auth/oidc/oidc-claims.ts';
import { readAddressVisibility } from '../../contract/record/address-visibility.ts';
import { readCurrency } from '../../contract/record/currency.ts';
import { readRetention } from '../../contract/record/retention.ts';
import { UserError } from '../../user-error.ts';
import { asDays, asMonths } from './durations.ts';
import { asListenAddress, asNetworks, asProxies } from './network-addresses.ts';
import {
  asAudienceParameter,
  asBasePath,
  asBytes,
  asCount,
  asLevel,
  asOrigins,
  asPort,
  asPositive,
  asPublicUrl,
  asRedisUrl,
  asSeconds,
  asText,
  asTimeZone,
  asUrl,
  LEVELS,
} from './setting-values.ts';

interface Setting<Value> {
  /** The name of the environment variable. */
  readonly env: string;
  /** The flag, in commands that have one. */
  readonly flag?: string;
  /** The default as text. Without one, the value is undefined if the setting is not set. */
  readonly fallback?: string;
  readonly meaning: string;
  readonly secret?: true;
  /** Throws an Error whose message says which values are allowed. */
  readonly read: (text: string) => Value;
}

// biome-ignore format: one setting a line
export const SETTINGS = {
  database: { env: 'DATABASE_URL', flag: '--database <url>', fallback: 'chdb:./data', meaning: 'The database: chdb:DIRECTORY for the embedded engine, clickhouse://user:password@host:8123/database for a server (clickhouses:// with TLS)', secret: true, read: asText },
  databasePasswordFile: { env: 'DATABASE_PASSWORD_FILE', meaning: 'File that holds the password of a ClickHouse server whose URL has none', read: asText },
  timeZone: { env: 'TIMEZONE', flag: '--time-zone <zone>', meaning: 'Time zone of the platform (IANA name). It is fixed when the database is created: UTC if none is named then', read: asTimeZone },
  currency: { env: 'CURRENCY', meaning: 'Currency of all amounts (ISO 4217 code), such as EUR. `/api/me`, the OpenAPI document and the explorer show it; amounts are shown without a currency if it is not set', read: readCurrency },
  ipAddresses: { env: 'IP_ADDRESSES', meaning: 'How much of IP addresses is shown: full, masked (/24 of IPv4, /48 of IPv6) or hidden (null), for all or for each role: affiliate=masked, admin=full. If it is not set, a new database has full, and an existing one stays as it is. To change it in an existing database, set it and run `transactions migrate`', read: readAddressVisibility },
  retention: { env: 'RETENTION', meaning: 'Months for which transactions of each type are kept, such as "impressions=13 months, *=37 months"; * is every other type. `serve` removes older ones daily, and `transactions retain` at once. All are kept if it is not set', read: readRetention },
  changesRetention: { env: 'CHANGES_RETENTION', fallback: '90 days', meaning: 'How many days the change feed goes back, such as 90 days; 0 for ever. Each import deletes older changes, so set the same value for every process that imports', read: asDays },
  host: { env: 'HOST', flag: '--host <host>', fallback: '127.0.0.1', meaning: 'Address to listen on; 0.0.0.0 for all', read: asText },
  port: { env: 'PORT', flag: '--port <port>', fallback: '3000', meaning: 'Port to listen on; 0 for any free one', read: asPort },
  basePath: { env: 'BASE_PATH', flag: '--base-path <path>', fallback: '', meaning: 'Path under which a proxy mounts the service, such as /reporting', read: asBasePath },
  publicUrl: { env: 'PUBLIC_URL', meaning: 'URL at which clients reach the service, with the base path, such as https://reports.example.com. Links to next pages, sign-in links and the OpenAPI document begin with it. Without it, links in responses have no host, unless a proxy in TRUSTED_PROXIES sends X-Forwarded-Proto: then they have the host of the request', read: asPublicUrl },
  trustedProxies: { env: 'TRUSTED_PROXIES', fallback: '', meaning: 'Addresses and ranges of proxies whose header X-Forwarded-For is trusted to name the client, separated by commas, such as 127.0.0.1,10.0.0.0/8; the names loopback, linklocal and uniquelocal stand for such ranges', read: asProxies },
  adminAddress: { env: 'ADMIN_ADDRESS', meaning: 'Address and port of /metrics and /health for operators, such as 127.0.0.1:9464; they ask for no token. Off if it is not set', read: asListenAddress },
  logLevel: { env: 'LOG_LEVEL', fallback: 'info', meaning: `Lowest level that is logged: ${LEVELS.join(', ')}`, read: asLevel },
  shutdownGrace: { env: 'SHUTDOWN_GRACE', fallback: '30', meaning: 'Seconds that running downloads may take to end after SIGTERM', read: asSeconds },
  stallTimeout: { env: 'STALL_TIMEOUT', fallback: '300', meaning: 'Seconds after which a client that reads nothing is disconnected; 0 for no limit', read: asSeconds },
  downloadLifetime: { env: 'DOWNLOAD_LIFETIME', fallback: '43200', meaning: 'Seconds after which a download is cut, however fast its reader is; 0 for no limit', read: asSeconds },
  maxConnections: { env: 'MAX_CONNECTIONS', fallback: '8192', meaning: 'Greatest number of open connections; further ones are closed', read: asPositive },
  requestsPerConnection: { env: 'REQUESTS_PER_CONNECTION', fallback: '10000', meaning: 'Requests on one connection before it is closed; 0 for no limit', read: asCount },
  pipelinedRequests: { env: 'PIPELINED_REQUESTS', fallback: '16', meaning: 'Requests that one connection may send before their responses have ended; a connection that sends more is reset', read: asPositive },
  headersTimeout: { env: 'HEADERS_TIMEOUT', fallback: '60', meaning: 'Seconds in which the headers of a request must arrive; connections are checked every 30 seconds', read: asPositive },
  idleTimeout: { env: 'IDLE_TIMEOUT', fallback: '72', meaning: 'Seconds that a connection stays open without a request', read: asPositive },
  requestsPerMinute: { env: 'REQUESTS_PER_MINUTE', fallback: '600', meaning: 'Requests that a token may send in a minute; 0 for no limit', read: asCount },
  invalidTokensPerMinute: { env: 'INVALID_TOKENS_PER_MINUTE', fallback: '60', meaning: 'Unknown access tokens and refused sign-in links that one address may send in a minute. Further ones are refused without being checked; 0 for no limit', read: asCount },
  concurrentDownloads: { env: 'CONCURRENT_DOWNLOADS', fallback: '8', meaning: 'Lists and summaries that a token may download at once; 0 for no limit', read: asCount },
  diskQuota: { env: 'DISK_QUOTA', fallback: '2GiB', meaning: 'Disk space for Parquet and Arrow files and large summaries that one client has requested and not read to their end, such as 512MiB or 2GiB. With more, the next one is refused; 0 for no limit', read: asBytes },
  auditLog: { env: 'AUDIT_LOG', meaning: 'File to which the audit log is written as JSON lines, in addition to the database', read: asText },
  auditRetention: { env: 'AUDIT_RETENTION', fallback: '13 months', meaning: 'How long the database keeps the audit log, in whole months such as 13 months; 0 for ever. `serve` deletes older months; other commands do so only if it is set for them', read: asMonths },
  memoryCache: { env: 'MEMORY_CACHE', fallback: '256MiB', meaning: 'Memory for the month cache, such as 256MiB or 1GiB; 0 for none. With the embedded engine, the service keeps the newest months of transactions there and answers small requests from it', read: asBytes },
  webhookNetworks: { env: 'WEBHOOK_ALLOWED_NETWORKS', fallback: '', meaning: 'Addresses and ranges that webhooks may be delivered to although they are not public, separated by commas, such as 10.1.2.0/24. URLs without TLS are accepted only for them', read: asNetworks },
  redisUrl: { env: 'REDIS_URL', meaning: 'Redis through which several processes share the limits of requests and downloads, redis://user:password@host:6379/0 (rediss:// with TLS); without it each process counts for itself', secret: true, read: asRedisUrl },
  corsOrigins: { env: 'CORS_ORIGINS', fallback: '', meaning: 'Origins whose pages may call the API from a browser, separated by commas, such as https://reports.example.com', read: asOrigins },
  oidcIssuer: { env: 'OIDC_ISSUER', meaning: 'Issuer URL of an OpenID Connect provider whose JSON Web Tokens are accepted', read: asUrl },
  oidcAudience: { env: 'OIDC_AUDIENCE', meaning: 'Audience that the tokens of OIDC_ISSUER must name', read: asText },
  oidcClientId: { env: 'OIDC_CLIENT_ID', meaning: 'Client id of the explorer at OIDC_ISSUER, as a public client; users then sign in through the provider. Off if it is not set', read: asText },
  oidcScope: { env: 'OIDC_SCOPE', fallback: 'openid', meaning: 'Scope that the explorer asks for; with offline_access, most providers give it a refresh token', read: asText },
  oidcAudienceParameter: { env: 'OIDC_AUDIENCE_PARAMETER', meaning: 'Name of the parameter in which the explorer sends OIDC_AUDIENCE to OIDC_ISSUER: resource (RFC 8707) or audience. Not sent if it is not set', read: asAudienceParameter },
  oidcMaxLifetime: { env: 'OIDC_MAX_LIFETIME', fallback: '86400', meaning: 'Longest lifetime in seconds of a token of OIDC_ISSUER; a token with a longer lifetime is refused; 0 for no limit', read: asCount },
  oidcRoleClaim: { env: 'OIDC_ROLE_CLAIM', fallback: DEFAULT_CLAIM_NAMES.roleClaim, meaning: 'Claim that holds the role, admin or affiliate', read: asText },
  oidcPublishersClaim: { env: 'OIDC_PUBLISHERS_CLAIM', fallback: DEFAULT_CLAIM_NAMES.publishersClaim, meaning: "Claim that holds an affiliate's websites", read: asText },
  oidcProgramsClaim: { env: 'OIDC_PROGRAMS_CLAIM', fallback: DEFAULT_CLAIM_NAMES.programsClaim, meaning: 'Claim that holds the programs a token is limited to', read: asText },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;

/** A setting as a `Setting`. The inferred type of a line in the table lacks the properties that it omits. */
export const setting = (name: SettingName): Setting<unknown> => SETTINGS[name];

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

type ValueOf<Name extends SettingName> =
  | ReturnType<(typeof SETTINGS)[Name]['read']>
  | ((typeof SETTINGS)[Name] extends { fallback: string } ? never : undefined);

export type Settings = { readonly [Name in SettingName]: ValueOf<Name> };

/** The flags that are set on a command line. */
export type Flags = { readonly [Name in SettingName]?: string | undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting, and where it comes from. */
interface SettingText {
  readonly text: string | undefined;
  readonly from: 'flag' | 'environment' | 'default';
}

export function settingText(
  name: SettingName,
  flags: Flags,
  environment: Environment,
): SettingText {
  const { env, fallback } = setting(name);
  const flag = flags[name];
  if (flag !== undefined) return { text: flag, from: 'flag' };
  const variable = environment[env];
  if (variable !== undefined && variable !== '') return { text: variable, from: 'environment' };
  return { text: fallback, from: 'default' };
}

/** Reads all settings; throws a UserError that names every invalid one. */
export function readSettings(flags: Flags, environment: Environment): Settings {
  const values: Partial<Record<SettingName, unknown>> = {};
  const faults: string[] = [];
  for (const name of SETTING_NAMES) {
    const { text, from } = settingText(name, flags, environment);
    try {
      values[name] = text === undefined ? undefined : setting(name).read(text);
    } catch (error) {
      faults.push(`${shownName(name, from)} ${error instanceof Error ? error.message : ''}.`);
    }
  }
  const settings = values as Settings;
  if ((settings.oidcIssuer === undefined) !== (settings.oidcAudience === undefined)) {
    faults.push('OIDC_ISSUER and OIDC_AUDIENCE must be set together.');
  }
  if (settings.oidcClientId !== undefined && settings.oidcIssuer === undefined) {
    faults.push('OIDC_CLIENT_ID needs OIDC_ISSUER and OIDC_AUDIENCE.');
  }
  const { publicUrl, basePath } = settings;
  if (publicUrl !== undefined && !publicUrl.endsWith(basePath)) {
    faults.push(`PUBLIC_URL must end with BASE_PATH, which is ${basePath}.`);
  }
  if (faults.length > 0) {
    throw new UserError(faults.join('\n  '), 'See all settings with: transactions check');
  }
  return settings;
}

function shownName(name: SettingName, from: SettingText['from']): string {
  const { env, flag } = setting(name);
  return from === 'flag' ? (flag?.split(' ', 1)[0] ?? env) : env;
}
