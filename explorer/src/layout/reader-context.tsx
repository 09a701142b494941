/** The reader: the language of texts, numbers and dates, for every part of the page. */

import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import type { Role } from '../../../src/contract/record/records.ts';
import {
  isLanguage,
  LANGUAGES,
  type Language,
  languageOf,
  type Texts,
  textsFor,
} from '../texts/texts.ts';
import { type Formats, formatsOf } from '../ui/formats.ts';
import { usePreference } from './preferences.ts';

export interface Reader {
  readonly language: Language;
  readonly texts: Texts;
  readonly formats: Formats;
  choose(language: Language): void;
}

const ReaderContext = createContext<Reader | undefined>(undefined);

interface ReaderProps {
  /** The language of the token, where it has one. */
  readonly locale: string | null | undefined;
  readonly children: ReactNode;
}

export function ReaderProvider({ locale, children }: ReaderProps) {
  const [chosen, choose] = usePreference('language');
  const tag = tagOf(isLanguage(chosen) ? chosen : (locale ?? undefined));
  const reader = useMemo(
    () => ({
      language: languageOf(tag),
      texts: LANGUAGES[languageOf(tag)],
      formats: formatsOf(tag),
    }),
    [tag],
  );
  useEffect(() => {
    document.documentElement.lang = reader.language;
  }, [reader]);
  return <ReaderContext value={{ ...reader, choose }}>{children}</ReaderContext>;
}

interface AudienceWordsProps {
  readonly role: Role;
  readonly children: ReactNode;
}

/** Behind the door things have the names that they have for whoever came in. */
export function RoleTexts({ role, children }: AudienceWordsProps) {
  const reader = useReader();
  const { language } = reader;
  const texts = useMemo(() => textsFor(role, language), [role, language]);
  return <ReaderContext value={{ ...reader, texts }}>{children}</ReaderContext>;
}

/** Of the browser's languages the first one that is the wanted one, which knows the reader's country. */
function tagOf(wanted: string | undefined): string {
  const tags = navigator.languages.filter(isTag);
  const [first = 'en'] = tags;
  if (wanted === undefined) return first;
  return tags.find((tag) => tag.split('-', 1)[0] === wanted) ?? wanted;
}

/** Browsers say what their system does, which is not always a language tag (BCP 47). */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (reader === undefined) throw new Error('There is no reader around this part of the page.');
  return reader;
}
