/** React context of localization: language, texts, and formats of numbers and dates. */

import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import type { Role } from '../../../src/contract/record/records.ts';
import { isLanguage, LANGUAGES, type Language, languageOf, textsFor } from '../texts/languages.ts';
import type { Texts } from '../texts/texts.ts';
import { formatsOf, type LocaleFormats } from '../ui/formats.ts';
import { usePreference } from './preferences.ts';

export interface Localization {
  readonly language: Language;
  readonly texts: Texts;
  readonly formats: LocaleFormats;
  choose(language: Language): void;
}

const LocalizationContext = createContext<Localization | undefined>(undefined);

interface LocalizationProps {
  /** The language of the token, if it has one. */
  readonly locale: string | null | undefined;
  readonly children: ReactNode;
}

export function LocalizationProvider({ locale, children }: LocalizationProps) {
  const [chosen, choose] = usePreference('language');
  const tag = tagOf(isLanguage(chosen) ? chosen : (locale ?? undefined));
  const localization = useMemo(
    () => ({
      language: languageOf(tag),
      texts: LANGUAGES[languageOf(tag)],
      formats: formatsOf(tag),
    }),
    [tag],
  );
  useEffect(() => {
    document.documentElement.lang = localization.language;
  }, [localization]);
  return <LocalizationContext value={{ ...localization, choose }}>{children}</LocalizationContext>;
}

interface SignedInLocalizationProps {
  readonly role: Role;
  /** ISO 4217 code. Null if the platform has not set it. */
  readonly currency: string | null;
  readonly children: ReactNode;
}

/**
 * Uses the texts of the role (an administrator's "publisher" is an affiliate's "website"), and formats
 * amounts in the platform's currency.
 */
export function SignedInLocalization({ role, currency, children }: SignedInLocalizationProps) {
  const localization = useLocalization();
  const { language } = localization;
  const { tag } = localization.formats;
  const texts = useMemo(() => textsFor(role, language), [role, language]);
  const formats = useMemo(() => formatsOf(tag, currency ?? undefined), [tag, currency]);
  return (
    <LocalizationContext value={{ ...localization, texts, formats }}>
      {children}
    </LocalizationContext>
  );
}

/** The browser's first tag of the wanted language, such as `en-GB`. Its country determines the formats. */
function tagOf(wanted: string | undefined): string {
  const tags = navigator.languages.filter(isTag);
  const [first = 'en'] = tags;
  if (wanted === undefined) return first;
  return tags.find((tag) => tag.split('-', 1)[0] === wanted) ?? wanted;
}

/** Some browsers report names of the system that are not language tags (BCP 47). */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}

export function useLocalization(): Localization {
  const localization = useContext(LocalizationContext);
  if (localization === undefined)
    throw new Error('useLocalization needs a LocalizationProvider around it.');
  return localization;
}
