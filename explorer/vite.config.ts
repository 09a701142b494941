/** Builds the explorer into static files that work wherever the service is mounted. */

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the files are found below any base path.
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/explorer',
    emptyOutDir: true,
    // Nothing is put into the page or the style sheet that the content security policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
});
