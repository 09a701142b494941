/** Languages of the page, and the texts for a language tag and a role. */

import { type Locale, localeOfTag } from '../../../src/contract/record/labels.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import { EN } from './en.ts';
import { FR } from './fr.ts';
import type { Texts } from './texts.ts';

export const LANGUAGES = { en: EN, fr: FR } as const satisfies Record<string, Texts>;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (locale: string | undefined): locale is Language =>
  locale !== undefined && Object.hasOwn(LANGUAGES, locale);

/** The language of the texts for a language tag; English for other languages. */
export function languageOf(tag: string): Language {
  const locale = localeOfTag(tag);
  return isLanguage(locale) ? locale : 'en';
}

/** The language of the status labels, which exist in more languages than the texts. */
export const labelLocaleOf = (tag: string): Locale => localeOfTag(tag) ?? 'en';

/** The texts of a role: an affiliate's website is an administrator's publisher. */
export function textsFor(role: Role, language: Language): Texts {
  const texts: Texts = LANGUAGES[language];
  if (role === 'affiliate') return texts;
  const { account, glance, fields, performance, errors, publishers } = texts;
  const { codes } = errors;
  const forbidden = { ...codes.publisher_forbidden, what: publishers.forbidden };
  return {
    ...texts,
    account: { ...account, websites: publishers.many },
    glance: { ...glance, top: { ...glance.top, publisher_id: publishers.many } },
    fields: { ...fields, publisher_id: publishers.one },
    performance: {
      ...performance,
      earnings: performance.publishers.earnings,
      tab: { ...performance.tab, publisher_id: publishers.many },
    },
    errors: { ...errors, codes: { ...codes, publisher_forbidden: forbidden } },
  };
}
