/** Entry point: renders the explorer into the page. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { takeStart } from './access/page-start.ts';
import { App } from './app.tsx';
import { showTheme } from './layout/preferences.ts';
import './style/base.css';
import './style/controls.css';
import './style/list-box.css';
import './style/filters.css';
import './style/overview.css';
import './style/chart.css';
import './style/period.css';
import './style/performance.css';
import './style/table.css';
import './style/sheet.css';
import './style/search.css';
import './style/forced-colors.css';

const start = takeStart();
showTheme();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App start={start} />
    </StrictMode>,
  );
}
