/** Reads the values of settings; each function throws an Error whose message says which values are allowed. */

import { timeZoneNamed } from '../../contract/query/calendar.ts';

export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export const asText = (text: string): string => text;

export function asPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error('must be a port number from 0 to 65535');
}

export function asSeconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new Error('must be a whole number of seconds from 0 to 99999');
}

export function asCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error('must be a whole number of at most 9 digits; 0 means no limit');
}

/** Bytes, from a number of bytes, KiB, MiB or GiB. */
export function asBytes(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})(|KiB|MiB|GiB)$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) * 1024 ** UNITS.indexOf(unit);
  throw new Error('must be a number of bytes such as 256MiB or 1GiB; 0 switches it off');
}

const UNITS = ['', 'KiB', 'MiB', 'GiB'];

export function asPositive(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new Error('must be a whole number from 1 to 99999');
}

export function asTimeZone(text: string): string {
  const zone = timeZoneNamed(text);
  if (zone !== undefined) return zone;
  throw new Error('must be a time zone of the IANA database, such as Europe/Paris');
}

export function asBasePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  if (path === '' || /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/.test(path)) return path;
  throw new Error(
    'must begin with a slash and contain only the letters A-Z and a-z, digits, slashes and - . _ ~, such as /reporting',
  );
}

export function asLevel(text: string): string {
  if (LEVELS.includes(text)) return text;
  throw new Error(`must be one of ${LEVELS.join(', ')}`);
}

const AUDIENCE_PARAMETERS = ['resource', 'audience'];

export function asAudienceParameter(text: string): string {
  if (AUDIENCE_PARAMETERS.includes(text)) return text;
  throw new Error(`must be one of ${AUDIENCE_PARAMETERS.join(', ')}`);
}

export function asUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new Error('must be a URL that begins with https:// or http://');
}

/** Refuses options in the URL, because a password among them would be shown. */
export function asRedisUrl(text: string): string {
  if (URL.canParse(text) && /^rediss?:\/\/[^/?#]+(\/\d*)?$/.test(text)) return text;
  throw new Error('must be a URL such as redis://host:6379/0, or rediss:// for TLS');
}

export function asOrigins(text: string): readonly string[] {
  const origins = text.split(',').map((origin) => origin.trim());
  if (text.trim() === '') return [];
  if (origins.every(isOrigin)) return [...new Set(origins)];
  throw new Error(
    'must contain origins such as https://reports.example.com, separated by commas: in lower case, without a path, a slash at the end or a default port',
  );
}

/** Whether it is written like the header `Origin`: no path, no default port, lower case. */
const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Removes slashes at the end. Refuses a URL that has more than an origin and a path, such as a query. */
export function asPublicUrl(text: string): string {
  const url = text.replace(/\/+$/, '');
  const parsed = URL.canParse(url) && new URL(url);
  if (
    parsed &&
    /^https?:/.test(url) &&
    parsed.origin + parsed.pathname.replace(/\/$/, '') === url
  ) {
    return url;
  }
  throw new Error(
    'must be a URL such as https://reports.example.com: its host in lower case, without a user, a default port, a query or a fragment',
  );
}
