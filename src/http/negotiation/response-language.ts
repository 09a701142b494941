/** Language of a response: the token's, else the best for `Accept-Language` (RFC 9110, 12.5.4), else the default. */

import Negotiator from 'negotiator';
import type { Principal } from '../../auth/principal.ts';
import { DEFAULT_LOCALE, type Locale, localeOfTag } from '../../contract/record/labels.ts';

export function responseLanguage(principal: Principal, acceptLanguage: string | undefined): Locale {
  if (principal.locale !== undefined) return principal.locale;
  const wanted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  return wanted.map(localeOfTag).find((locale) => locale !== undefined) ?? DEFAULT_LOCALE;
}
