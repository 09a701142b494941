/** Moves a column of the list to the position of another one. */

/** Unknown names change nothing. */
export function movedColumn(
  chosen: readonly string[],
  name: string,
  target: string,
): readonly string[] {
  const [from, to] = [chosen.indexOf(name), chosen.indexOf(target)];
  if (from < 0 || to < 0) return chosen;
  return chosen.toSpliced(from, 1).toSpliced(to, 0, name);
}
