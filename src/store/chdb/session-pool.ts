/** Lends the embedded engine's sessions to readers, each to one at a time. */

import type { Session } from 'chdb';

export interface Lease {
  /** The name under which the engine lists what the session runs. */
  readonly name: string;
  readonly session: Session;
}

export class SessionPool {
  readonly #kind: string;
  readonly #open: (name: string) => Session;
  readonly #size: number;
  readonly #idle: Lease[] = [];
  readonly #all: Lease[] = [];
  readonly #waiting: ((lease: Lease) => void)[] = [];

  constructor(kind: string, size: number, open: (name: string) => Session) {
    this.#kind = kind;
    this.#size = size;
    this.#open = open;
  }

  /** A session that nobody else uses, as soon as there is one; readers are served in their order. */
  async lend(signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#all.length < this.#size) return this.#add();
    return await new Promise<Lease>((resolve, reject) => {
      const receive = (lease: Lease) => {
        signal.removeEventListener('abort', leave);
        resolve(lease);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(receive), 1);
        reject(signal.reason);
      };
      this.#waiting.push(receive);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  giveBack(lease: Lease): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(lease);
    else next(lease);
  }

  close(): void {
    for (const { session } of this.#all) session.close();
  }

  #add(): Lease {
    const name = `${this.#kind}-${this.#all.length + 1}`;
    const lease = { name, session: this.#open(name) };
    this.#all.push(lease);
    return lease;
  }
}
