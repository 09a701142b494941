/** Vite build of the explorer, and of the script of `/docs`, into static files that work under any base path. */

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative URLs work under any base path.
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/explorer',
    emptyOutDir: true,
    // No inline assets: the content security policy refuses them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      input: {
        index: `${import.meta.dirname}/index.html`,
        docs: `${import.meta.dirname}/src/docs/docs.ts`,
      },
    },
  },
});
