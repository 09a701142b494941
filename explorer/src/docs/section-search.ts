/** Search of the sections: shows only the links to sections that contain every word. */

import { element } from './element.ts';
import { texts } from './language.ts';

interface Entry {
  readonly item: Element;
  readonly text: string;
}

export function addSearch(): void {
  const nav = document.querySelector('nav');
  if (nav === null) return;
  const entries = [...nav.querySelectorAll('li')].map(entryOf);
  const input = element('input', { type: 'search', id: 'search', autocomplete: 'off' });
  const found = element('p', { class: 'found', 'aria-live': 'polite' });
  const label = element('label', { for: 'search' }, texts.search);
  nav.prepend(element('div', { class: 'search' }, label, input), found);
  input.addEventListener('input', () => {
    const words = wordsIn(input.value);
    const hits = entries.filter(({ item, text }) => {
      const isHit = words.every((word) => text.includes(word));
      item.toggleAttribute('hidden', !isHit);
      return isHit;
    });
    for (const list of nav.querySelectorAll('ul')) hideIfEmpty(list);
    found.textContent = words.length === 0 ? '' : texts.sections(hits.length);
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') nav.querySelector<HTMLElement>('li:not([hidden]) a')?.click();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

const wordsIn = (text: string): readonly string[] =>
  text.toLowerCase().split(/\s+/).filter(Boolean);

function entryOf(item: Element): Entry {
  const id = item.querySelector('a')?.hash.slice(1) ?? '';
  return { item, text: `${shownText(item)} ${sectionText(id)}`.toLowerCase() };
}

/** The text of an element, without its parts in the other language. */
function shownText(element: Element | null): string {
  const copy = element?.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const hidden of copy.querySelectorAll('[data-language][hidden]')) hidden.remove();
  return copy.textContent;
}

/** The heading and what follows it, up to the next heading. */
function sectionText(id: string): string {
  const texts: string[] = [];
  let part: Element | null = document.getElementById(id);
  do {
    texts.push(shownText(part));
    part = part?.nextElementSibling ?? null;
  } while (part !== null && !/^H[23]$/.test(part.tagName));
  return texts.join(' ');
}

/** Hides an empty list together with the title before it. */
function hideIfEmpty(list: Element): void {
  const isEmpty = list.querySelector('li:not([hidden])') === null;
  list.toggleAttribute('hidden', isEmpty);
  const title = list.previousElementSibling;
  if (title?.matches('p:not(.found)') === true) title.toggleAttribute('hidden', isEmpty);
}
