/** Buttons that copy commands and examples. */

import { element } from './element.ts';
import { LANGUAGE, texts } from './language.ts';

/** Milliseconds for which the outcome is shown. */
const SHOWN_FOR = 2000;

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', class: 'copy', lang: LANGUAGE }, texts.copy);
    const live = element('span', { class: 'hidden', 'aria-live': 'polite', lang: LANGUAGE });
    button.addEventListener('click', async () => {
      const outcome = await copied(block.textContent);
      button.textContent = outcome;
      live.textContent = outcome;
      setTimeout(() => {
        button.textContent = texts.copy;
        live.textContent = '';
      }, SHOWN_FOR);
    });
    const frame = element('div', { class: 'block' });
    block.replaceWith(frame);
    frame.append(block, button, live);
  }
}

/** Copies a text and returns the outcome in words. It fails over plain HTTP, where browsers have no clipboard API. */
async function copied(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return texts.copied;
  } catch {
    return texts.notCopied;
  }
}
