/** Buttons that copy commands and examples. */

import { element } from './element.ts';

/** Milliseconds for which the outcome is shown. */
const SHOWN_FOR = 2000;

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    const live = element('span', { class: 'hidden', 'aria-live': 'polite' });
    button.addEventListener('click', async () => {
      const outcome = await copied(block.textContent);
      button.textContent = outcome;
      live.textContent = outcome;
      setTimeout(() => {
        button.textContent = 'Copy';
        live.textContent = '';
      }, SHOWN_FOR);
    });
    const frame = element('div', { class: 'block' });
    block.replaceWith(frame);
    frame.append(block, button, live);
  }
}

/** Plain HTTP has no clipboard. */
async function copied(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'Select the text instead';
  }
}
