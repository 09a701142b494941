/** Texts of the documentation page in English and French: both are in the page, and its script shows one. */

import { type Html, html } from './html.ts';

/** The part of a language is found by `data-language`. English is shown without a script. */
export const bilingual = (english: Html | string, french: Html | string): Html =>
  html`<span data-language="en">${english}</span><span data-language="fr" lang="fr" hidden>${french}</span>`;
