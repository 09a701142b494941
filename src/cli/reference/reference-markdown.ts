/** Markdown of the reference pages: pages, sections, code and tables. */

const NOTE = '<!-- Written by `npm run generate` from the tables of the code; do not edit. -->';

export const page = (title: string, parts: readonly string[]): string =>
  `${[`# ${title}`, NOTE, ...parts].join('\n\n')}\n`;

export const section = (title: string, text: string): string => `## ${title}\n\n${text}`;

export const code = (text: string): string => `\`${text}\``;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
