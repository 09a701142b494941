/** Settings as text without secrets, for the audit log. */

import { SETTING_NAMES, type Settings, setting } from './settings.ts';

/** The greatest length of a value. */
const MOST_CHARACTERS = 500;

/** By the names of the environment variables. Settings that are off are left out. */
export function shownSettings(settings: Settings): Record<string, string> {
  const shown = SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    if (value === undefined) return [];
    const { env, secret } = setting(name);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const open = secret ? withoutPassword(text) : text;
    return [[env, open.slice(0, MOST_CHARACTERS)]];
  });
  return Object.fromEntries(shown);
}

/** Replaces the password of a URL, even if it contains characters that should be encoded. */
export const withoutPassword = (url: string): string =>
  url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:***@');
