/** The page that stands where the explorer would be, while it has not been built. */

import { html } from './html.ts';
import { page } from './page.ts';

export const unbuiltPage = (): string =>
  page({
    title: 'Transactions',
    description: 'The explorer is not built.',
    content: html`<h1>The explorer is not built yet</h1>
<p>The API works without it. To have the page here too, type this where the service is installed, and start it again:</p>
<pre tabindex="0"><code>npm ci &amp;&amp; npm run build:explorer</code></pre>
<p>What the API can do is at <a href="docs">docs</a>.</p>`,
  });
