/** The figures beside the earnings: ratios for both roles, and amounts that only administrators see. */

import type { Role } from '../../../src/contract/record/records.ts';
import type { LocaleFormats } from '../ui/formats.ts';

interface FigureLine {
  readonly name: string;
  readonly format: keyof typeof FORMATS;
  /**
   * How a change is shown: as a part of the former value (+5 %), in percentage points, or not at all. The approval
   * rate shows none, because most recent transactions are still pending.
   */
  readonly change: 'part' | 'points' | 'none';
  readonly roles?: readonly Role[];
}

const FORMATS = {
  rate: (value: number, formats: LocaleFormats) => formats.rate(value),
  share: (value: number, formats: LocaleFormats) => formats.share(value),
  money: (value: number, formats: LocaleFormats) => formats.roundedAmount(value),
  fine: (value: number, formats: LocaleFormats) => formats.fineAmount(value),
} as const;

const ADMIN: readonly Role[] = ['admin'];

// biome-ignore format: one figure a line
const FIGURES = [
  { name: 'conversion_rate', format: 'rate', change: 'points' },
  { name: 'earnings_per_click', format: 'fine', change: 'part' },
  { name: 'approval_rate', format: 'share', change: 'none' },
  { name: 'average_order_value', format: 'money', change: 'part', roles: ADMIN },
  { name: 'amount', format: 'money', change: 'part', roles: ADMIN },
  { name: 'remu_program', format: 'money', change: 'part', roles: ADMIN },
] as const satisfies readonly FigureLine[];

export type FigureName = (typeof FIGURES)[number]['name'];

export type Figure = FigureLine & { readonly name: FigureName };

export const figuresOf = (role: Role): readonly Figure[] =>
  FIGURES.filter((figure: Figure) => figure.roles?.includes(role) ?? true);

/** A ratio without anything to divide by is a dash. */
export const formatFigure = (
  value: number | null | undefined,
  { format }: Pick<FigureLine, 'format'>,
  formats: LocaleFormats,
): string => (value === null || value === undefined ? '–' : FORMATS[format](value, formats));
