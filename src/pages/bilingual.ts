/** Texts of the documentation page in English and French: both are in the page, and its script shows one. */

import { type Html, html } from './html.ts';

/** The script finds the text of a language by `data-language`. Without the script, English is shown. */
export const bilingual = (english: Html | string, french: Html | string): Html =>
  html`<span data-language="en">${english}</span><span data-language="fr" lang="fr" hidden>${french}</span>`;
