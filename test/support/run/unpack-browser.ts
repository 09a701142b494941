/** Unpacks the browser before the first test, as workers that unpack it at once could start an incomplete file. */

import chromium from '@sparticuz/chromium';

export async function setup(): Promise<void> {
  chromium.setGraphicsMode = false;
  await chromium.executablePath();
}
