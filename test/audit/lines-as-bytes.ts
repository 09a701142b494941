/** Lines as the audit log writes them: parts of one or more lines. */
export const asBytes = (...lines: readonly string[]): readonly Buffer[] =>
  [lines.slice(0, 1), lines.slice(1)].map((part) =>
    Buffer.from(part.map((line) => `${line}\n`).join('')),
  );
