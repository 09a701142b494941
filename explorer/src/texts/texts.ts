/** Type of the texts of the page: every language has every text of the English one. */

import type { EN } from './en.ts';

type Shape<Of> = Of extends string
  ? string
  : Of extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Name in keyof Of]: Shape<Of[Name]> };

/** Every text of the page. A language without one of them does not compile. */
export type Texts = Shape<typeof EN>;
