/** Lifetimes of access tokens (`90d`, `12h`, `30m`, `60s` or `never`) and of sign-in links. */

export const DEFAULT_LIFETIME = '90d';

/** Minutes in which a sign-in link must be opened. */
export const LINK_MINUTES = 15;

export const LIFETIME = /^(?:never|[1-9]\d{0,4}[dhms])$/;

const MILLISECONDS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** The table of tokens can store times until February 2106. */
const LATEST = Date.parse('2106-01-01T00:00:00Z');

/** When a lifetime that begins now ends. Undefined if the text is no lifetime, or ends too late. */
export function endOfLifetime(text: string, now: Date): Date | 'never' | undefined {
  if (text === 'never') return text;
  const [, count, unit] = /^(\d{1,5})([dhms])$/.exec(text) ?? [];
  if (!LIFETIME.test(text) || !isUnit(unit)) return undefined;
  const end = now.getTime() + Number(count) * MILLISECONDS[unit];
  return end < LATEST ? new Date(end) : undefined;
}

const isUnit = (text: string | undefined): text is keyof typeof MILLISECONDS =>
  text !== undefined && text in MILLISECONDS;
