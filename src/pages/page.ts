/** The layout of every page: an inline style sheet, no inline scripts and no external resources. */

import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

/** An inline icon, so that browsers do not request one. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b57c4' d='M1 9h3v6H1zM6 5h3v10H6zM11 1h3v14h-3z'/%3E%3C/svg%3E";

interface PageParts {
  readonly title: string;
  readonly description: string;
  readonly content: Html;
  /** Links to the sections of a long page. */
  readonly navigation?: Html;
  /** The path of a script of this service. The page also works without it. */
  readonly script?: string | undefined;
}

export function htmlPage({ title, description, content, navigation, script }: PageParts): string {
  const frame = navigation === undefined ? 'frame' : 'frame with-nav';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${new Html(ICON)}">
<style>${new Html(STYLE)}</style>
${script === undefined ? '' : html`<script type="module" src="${script}"></script>\n`}</head>
<body>
<div class="${frame}">
${navigation ?? ''}
<main>
${content}
</main>
</div>
</body>
</html>
`.text;
}
