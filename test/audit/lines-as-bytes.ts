/** Lines as the audit log writes them. */
export const asBytes = (...lines: readonly string[]): readonly Buffer[] =>
  lines.map((line) => Buffer.from(`${line}\n`));
