/** Puts the explorer into the page. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { showTheme } from './preferences.ts';
import './style/base.css';
import './style/controls.css';
import './style/glance.css';
import './style/list.css';
import './style/sheet.css';

showTheme();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
