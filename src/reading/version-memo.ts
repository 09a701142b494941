/** Remembers answers of the engine for as long as the data stays the same, or for a second on servers. */

import type { Reader } from '../engine/engine.ts';

/** Milliseconds for which an answer is shared where other processes can write. */
const SHARED_FOR = 1000;

/** The most answers that are remembered. */
const MOST_REMEMBERED = 1000;

interface Remembered<Answer> {
  readonly answer: Promise<Answer>;
  readonly askedAt: number;
}

export class VersionMemo<Answer> {
  readonly #reader: Reader;
  readonly #remembered = new Map<string, Remembered<Answer>>();
  #version: number | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The answer under a key, asked for once for each version of the data. */
  async get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const { state } = this.#reader;
    if (state !== this.#version || this.#remembered.size >= MOST_REMEMBERED) {
      this.#remembered.clear();
      this.#version = state;
    }
    const known = this.#remembered.get(key);
    const isKnown =
      known && (state !== undefined || known.askedAt + SHARED_FOR > performance.now());
    if (isKnown) return await known.answer;
    return await this.ask(key, ask);
  }

  /** The answer under a key, asked for now. */
  async ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const asked = { answer: ask(), askedAt: performance.now() };
    this.#remembered.set(key, asked);
    asked.answer.catch(() => {
      if (this.#remembered.get(key) === asked) this.#remembered.delete(key);
    });
    return await asked.answer;
  }
}
