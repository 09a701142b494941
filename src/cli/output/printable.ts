/** Escapes control characters in text from outside, such as column names, before it is printed. */

/** Terminals execute them: they can move the cursor, delete text, or change the title or clipboard. */
const CONTROLS = /[\p{Cc}--[\n\t]]/gv;

/** Replaces control characters, except line feeds and tabs, by `\x…`. */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (control) => {
    const code = control.charCodeAt(0).toString(16).padStart(2, '0');
    return `\\x${code}`;
  });
