/** Forms that send the request of an operation with the user's token, and show the response. */

import { docsToken, newerToken } from './docs-token.ts';
import { element } from './element.ts';
import { LANGUAGE, texts } from './language.ts';
import { readStart } from './response-start.ts';

export function addRequestForms(): void {
  for (const place of document.querySelectorAll<HTMLElement>('.request-form')) {
    const { target = '', token } = place.dataset;
    place.append(...requestFormOf(target, token !== undefined));
  }
}

/** Cancels the running requests of all forms. */
let running = new AbortController();

/** Ends the requests of a user who has signed out, and removes the responses. */
export function clearRequestForms(): void {
  running.abort();
  running = new AbortController();
  for (const answer of document.querySelectorAll('.answer')) answer.replaceChildren();
}

function requestFormOf(target: string, needsToken: boolean): readonly Node[] {
  const input = element('input', { type: 'text', value: target, spellcheck: 'false' });
  const label = element('label', {}, element('span', {}, texts.request), input);
  const button = element('button', { type: 'submit' }, texts.send);
  const form = element('form', { lang: LANGUAGE }, label, button);
  const answer = element('div', { class: 'answer', 'aria-live': 'polite', lang: LANGUAGE });
  let latest = new AbortController();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    latest.abort();
    latest = new AbortController();
    const signal = AbortSignal.any([latest.signal, running.signal]);
    answer.replaceChildren(element('p', {}, texts.waiting));
    const shown = await answered(input.value, needsToken, signal);
    if (!signal.aborted) answer.replaceChildren(...shown);
  });
  return [form, answer];
}

async function answered(
  text: string,
  needsToken: boolean,
  signal: AbortSignal,
): Promise<readonly Node[]> {
  const url = ownUrlOf(text);
  if (url === undefined) {
    const begin = new URL('.', location.href).pathname;
    return [element('p', {}, texts.mustBegin(begin))];
  }
  const token = needsToken ? await docsToken() : undefined;
  if (needsToken && token === undefined) return notSignedIn();
  try {
    let response = await send(url, token, signal);
    if (response.status === 401 && token !== undefined) {
      const newer = await newerToken(token);
      if (newer !== undefined) response = await send(url, newer, signal);
    }
    return shownOf(response, await readStart(response));
  } catch {
    return [element('p', {}, texts.notAnswering)];
  }
}

async function send(url: URL, token: string | undefined, signal: AbortSignal): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await fetch(url, { headers, signal, cache: 'no-store', redirect: 'error' });
}

/** Undefined for the URL of another service, which must not receive the token. */
function ownUrlOf(text: string): URL | undefined {
  const own = new URL('.', location.href);
  const target = text.trim();
  const url = URL.canParse(target, location.href) ? new URL(target, location.href) : undefined;
  const isOwn = url?.origin === own.origin && url.pathname.startsWith(own.pathname);
  return isOwn ? url : undefined;
}

function notSignedIn(): readonly Node[] {
  const link = element('a', { href: './' }, texts.signIn);
  return [element('p', {}, texts.notSignedIn, link, texts.thenAgain)];
}

function shownOf({ status, headers }: Response, { text, isCut }: { text: string; isCut: boolean }) {
  const type = headers.get('content-type') ?? '';
  const style = status < 400 ? 'status' : 'status refused';
  const line = element('p', {}, element('span', { class: style }, String(status)), ` ${type}`);
  const more = isCut ? [element('p', {}, texts.isBeginning)] : [];
  const body = element('pre', { tabindex: '0' }, element('code', {}, text));
  return text === '' ? [line] : [line, body, ...more];
}
