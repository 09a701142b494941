/** Folds texts, so that searches find names regardless of case and accents. */

/** The text in lower case without accents. The sigma at the end of a Greek word becomes that within a word. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');
