/** Settings as text without secrets, for the audit log. */

import { SETTING_NAMES, type Settings, setting } from './settings.ts';

/** The greatest length of a value. */
const MAX_CHARACTERS = 500;

/** By the names of the environment variables. Settings without a value are left out. */
export function shownSettings(settings: Settings): Record<string, string> {
  const shown = SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    if (value === undefined) return [];
    const { env, secret } = setting(name);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const open = secret ? withoutPassword(text) : text;
    return [[env, open.slice(0, MAX_CHARACTERS)]];
  });
  return Object.fromEntries(shown);
}

const PASSWORD = /^(\w+:\/\/[^:@/]*):.*@/;

const HOST = String.raw`(?:\[[\da-f:]+\]|[^:@/,[\]?#\s]+)(?::\d+)?`;

/** The forms that may be shown: a directory, or hosts with an optional user and hidden password. */
const SHOWN = new RegExp(
  String.raw`^(?:chdb:|\w+://(?:[^:@/]*(?::\*\*\*)?@)?${HOST}(?:,${HOST})*(?:/\w*)?$)`,
  'i',
);

/**
 * Replaces the password of a URL, even if it contains characters that should be encoded. If the text has another
 * form, all of it is hidden, because the password could be anywhere in it.
 */
export function withoutPassword(url: string): string {
  const hidden = url.replace(PASSWORD, '$1:***@');
  return SHOWN.test(hidden) ? hidden : '***';
}
