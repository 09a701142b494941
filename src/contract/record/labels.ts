/** The names of the three statuses in every language that the service speaks. */

export const STATUSES = [0, 1, 2] as const;

export type Status = (typeof STATUSES)[number];

/** By language (ISO 639-1), the names of status 0 (refused), 1 (validated) and 2 (pending). */
export const STATUS_LABELS = {
  fr: ['Refusé', 'Validé', 'En attente'],
  en: ['Refused', 'Validated', 'Pending'],
  de: ['Abgelehnt', 'Bestätigt', 'Ausstehend'],
  es: ['Rechazado', 'Validado', 'Pendiente'],
  it: ['Rifiutato', 'Convalidato', 'In attesa'],
  nl: ['Geweigerd', 'Gevalideerd', 'In behandeling'],
  pt: ['Recusado', 'Validado', 'Pendente'],
} as const satisfies Record<string, readonly [string, string, string]>;

export type Locale = keyof typeof STATUS_LABELS;

export const LOCALES = Object.keys(STATUS_LABELS) as readonly Locale[];

export const DEFAULT_LOCALE: Locale = 'fr';

export const isLocale = (text: string): text is Locale => Object.hasOwn(STATUS_LABELS, text);

/** The locale that a language tag (RFC 5646, such as `en-GB`) asks for, where the service speaks it. */
export function localeOfTag(tag: string): Locale | undefined {
  const language = tag.split('-', 1)[0]?.toLowerCase() ?? '';
  return isLocale(language) ? language : undefined;
}
