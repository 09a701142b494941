/** The page that replaces the explorer until it is built. */

import { html } from './html.ts';
import { htmlPage } from './page.ts';

export const unbuiltPage = (): string =>
  htmlPage({
    title: 'Transactions',
    description: 'The explorer is not built.',
    content: html`<h1>The explorer is not built yet</h1>
<p>The API works without it. To build the explorer, run this command where the service is installed, then restart the service:</p>
<pre tabindex="0"><code>npm ci &amp;&amp; npm run build:explorer</code></pre>
<p>The API is documented at <a href="docs">docs</a>.</p>`,
  });
