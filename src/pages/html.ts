/** Template for HTML that escapes every text unless it is HTML itself. */

/** Text that is HTML already, so it is not escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}

/** `html\`<p>${text}</p>\``: values are escaped and lists are joined. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, at) => text + textOf(parts[at] ?? '')).join(''));

/** A sentence with code between backticks. */
export const prose = (sentence: string): Html =>
  html`${sentence.split('`').map((piece, at) => (at % 2 === 0 ? piece : html`<code>${piece}</code>`))}`;

/** A value as indented JSON. */
export const jsonBlock = (value: unknown): Html => codeBlock(JSON.stringify(value, null, 2));

export const codeBlock = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

/** A table that scrolls by itself on narrow screens. */
export const table = (head: readonly (Html | string)[], rows: readonly (readonly Part[])[]): Html =>
  html`<div class="table" tabindex="0"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
