/** Text of others, such as names of columns, as a terminal may be given it. */

/** A terminal takes them for orders: to move, to delete, to change its title or the clipboard. */
const CONTROLS = /[\p{Cc}--[\n\t]]/gv;

/** Shows control characters instead of letting them work; lines stay lines. */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (control) => {
    const code = control.charCodeAt(0).toString(16).padStart(2, '0');
    return `\\x${code}`;
  });
