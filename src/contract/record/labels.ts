/** The label of each status in every language of the service. */

import type { Status } from './statuses.ts';

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

export type Locale = keyof typeof STATUS_LABELS;

export const LOCALES = Object.keys(STATUS_LABELS) as readonly Locale[];

export const DEFAULT_LOCALE: Locale = 'fr';

export const isLocale = (text: string): text is Locale => Object.hasOwn(STATUS_LABELS, text);

/** The locale of a language tag (RFC 5646, such as `en-GB`), if the service has its labels. */
export function localeOfTag(tag: string): Locale | undefined {
  const language = tag.split('-', 1)[0]?.toLowerCase() ?? '';
  return isLocale(language) ? language : undefined;
}
