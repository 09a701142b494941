/** Sheets whose code is loaded when they are opened. */

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { FailedSheet } from './failed-sheet.tsx';

/** If the code cannot be loaded, the component says so, and the rest of the page stays. */
export const lazySheet = <Props extends { close(): void }>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => ({ default: await load().catch(() => FailedSheet) }));
