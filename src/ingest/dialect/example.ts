/** A value of a file that an error about its dialect names. */

export interface Example {
  readonly column: string;
  readonly text: string;
}

export const shownExample = ({ column, text }: Example): string =>
  `${column} ${JSON.stringify(text)}`;
