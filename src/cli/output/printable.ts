/** Escapes control characters in text from outside, such as column names, before it is printed. */

/** Characters that terminals execute. They can move the cursor, delete text, or change the title or clipboard. */
const CONTROLS = /[\p{Cc}--[\n\t]]/gv;

/** Characters that end a line, or that reorder or hide text. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gv;

/** Escapes characters that could forge another line or hide text: each becomes `\u{…}`. */
export const printableLine = (text: string): string =>
  text.replaceAll(UNSHOWN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Replaces control characters, except line feeds and tabs, by `\x…`. */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (control) => {
    const code = control.charCodeAt(0).toString(16).padStart(2, '0');
    return `\\x${code}`;
  });
