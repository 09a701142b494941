/** Formats rows as an aligned table for a terminal, or as tab-separated text for a pipe. */

import colors from 'picocolors';

type TableRow = Readonly<Record<string, string>>;

export function textTable(rows: readonly TableRow[], isTerminal = process.stdout.isTTY): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => names.map((name) => row[name] ?? ''));
  if (!isTerminal) return [names, ...lines].map((cells) => cells.join('\t')).join('\n');
  const widths = names.map((name, at) =>
    Math.max(name.length, ...lines.map((cells) => cells[at]?.length ?? 0)),
  );
  const padded = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [colors.bold(padded(names)), ...lines.map(padded)].join('\n');
}
