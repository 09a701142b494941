/** The label of each status in every language of the service. */

import { STATUS_TEXTS, type Status, type StatusCode } from './statuses.ts';

/** By language (ISO 639-1), in the order of the statuses. */
export const STATUS_LABELS = {
  fr: ['Refusé', 'Validé', 'En attente'],
  en: ['Refused', 'Validated', 'Pending'],
  de: ['Abgelehnt', 'Bestätigt', 'Ausstehend'],
  es: ['Rechazado', 'Validado', 'Pendiente'],
  it: ['Rifiutato', 'Convalidato', 'In attesa'],
  nl: ['Geweigerd', 'Gevalideerd', 'In behandeling'],
  pt: ['Recusado', 'Validado', 'Pendente'],
} as const satisfies Record<string, { readonly [status in Status]: string }>;

/** Words of other networks. */
const SYNONYMS: Readonly<Record<string, StatusCode>> = {
  approved: '1',
  confirmed: '1',
  accepted: '1',
  open: '2',
  new: '2',
  declined: '0',
  rejected: '0',
  cancelled: '0',
  canceled: '0',
};

/** The status that a word means: its name, its label in any language, or a word of other networks. */
export function statusNamed(word: string): StatusCode | undefined {
  const lower = word.toLowerCase();
  if (Object.hasOwn(SYNONYMS, lower)) return SYNONYMS[lower];
  return STATUS_TEXTS.find((status) =>
    Object.values(STATUS_LABELS).some((labels) => labels[status].toLowerCase() === lower),
  );
}

export type Locale = keyof typeof STATUS_LABELS;

export const LOCALES = Object.keys(STATUS_LABELS) as readonly Locale[];

export const DEFAULT_LOCALE: Locale = 'fr';

export const isLocale = (text: string): text is Locale => Object.hasOwn(STATUS_LABELS, text);

/** The locale of a language tag (RFC 5646, such as `en-GB`), if the service has its labels. */
export function localeOfTag(tag: string): Locale | undefined {
  const language = tag.split('-', 1)[0]?.toLowerCase() ?? '';
  return isLocale(language) ? language : undefined;
}
