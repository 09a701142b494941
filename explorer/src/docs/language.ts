/** Language of `/docs`: introduction, table headings, buttons and search; operations are described in English only. */

import { storedPreference } from '../layout/preference-storage.ts';
import { TEXTS, type Texts } from './texts.ts';

type Language = keyof typeof TEXTS;

const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(TEXTS, text);

/** The language in the address, else the one chosen in the explorer, else the first one of the browser. */
function docsLanguage(): Language {
  const given = new URLSearchParams(location.search).get('language') ?? undefined;
  const wanted = [given, storedPreference('language'), navigator.language.split('-', 1)[0]];
  return wanted.find(isLanguage) ?? 'en';
}

/** The language of the page, and the attribute `lang` of the elements that scripts add. */
export const LANGUAGE = docsLanguage();

export const texts: Texts = TEXTS[LANGUAGE];

/** Shows the parts in the language of the page. Without this script the page is in English. */
export function showLanguage(): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-language]')) {
    part.hidden = part.dataset.language !== LANGUAGE;
  }
  const nav = document.querySelector('nav');
  nav?.setAttribute('aria-label', texts.onThisPage);
  nav?.setAttribute('lang', LANGUAGE);
}
