/** Reads and writes the column widths that the user has chosen: rem by column name, stored as text. */

export type ChosenWidths = Readonly<Record<string, number>>;

const [MIN, MAX] = [4, 40];

export const boundedWidth = (width: number): number =>
  Math.min(MAX, Math.max(MIN, Math.round(width * 100) / 100));

/** Reads text such as `created_at=12,country=7.5`. Other text is ignored. */
export function readWidths(text = ''): ChosenWidths {
  const widths = text.split(',').flatMap((part) => {
    const [name = '', number = ''] = part.split('=');
    const width = Number.parseFloat(number);
    return name === '' || Number.isNaN(width) ? [] : [[name, boundedWidth(width)] as const];
  });
  return Object.fromEntries(widths);
}

export const writtenWidths = (widths: ChosenWidths): string =>
  Object.entries(widths)
    .map(([name, width]) => `${name}=${width}`)
    .join(',');
