/** The languages of the page: which there are, and that each has every text. */

import { type Locale, localeOfTag } from '../../../src/contract/record/labels.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import { EN } from './en.ts';
import { FR } from './fr.ts';

type Shape<Of> = Of extends string
  ? string
  : Of extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Name in keyof Of]: Shape<Of[Name]> };

/** Every text of the page; a language that lacks one does not compile. */
export type Texts = Shape<typeof EN>;

export const LANGUAGES = { en: EN, fr: FR } as const satisfies Record<string, Texts>;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (locale: string | undefined): locale is Language =>
  locale !== undefined && Object.hasOwn(LANGUAGES, locale);

/** The language of the texts for a reader's language tag: English where there is none of theirs. */
export function languageOf(tag: string): Language {
  const locale = localeOfTag(tag);
  return isLanguage(locale) ? locale : 'en';
}

/** The language of the statuses' names, of which the service has more. */
export const labelsOf = (tag: string): Locale => localeOfTag(tag) ?? 'en';

/** The texts for whoever has signed in: what is a website to affiliates is a publisher to administrators. */
export function textsFor(role: Role, language: Language): Texts {
  const texts: Texts = LANGUAGES[language];
  if (role === 'affiliate') return texts;
  const { account, glance, fields, refusals, publishers } = texts;
  const { codes } = refusals;
  const forbidden = { ...codes.publisher_forbidden, what: publishers.forbidden };
  return {
    ...texts,
    account: { ...account, websites: publishers.many },
    glance: { ...glance, top: { ...glance.top, publisher_id: publishers.many } },
    fields: { ...fields, publisher_id: publishers.one },
    refusals: { ...refusals, codes: { ...codes, publisher_forbidden: forbidden } },
  };
}
