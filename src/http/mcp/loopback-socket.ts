/** Connection in memory: two streams with backpressure; each reads what the other writes. */

import { Duplex } from 'node:stream';

/** Has those methods of a `net.Socket` that the HTTP server and its guards call. */
export class LoopbackSocket extends Duplex {
  /** Fastify reads the address of the client from it. */
  readonly remoteAddress: string | undefined;
  #peer: LoopbackSocket | undefined;
  #onRead: (() => void) | undefined;

  constructor(remoteAddress?: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  /** Both ends. The first one is for the server. */
  static pair(remoteAddress: string): readonly [LoopbackSocket, LoopbackSocket] {
    const server = new LoopbackSocket(remoteAddress);
    const client = new LoopbackSocket();
    server.#peer = client;
    client.#peer = server;
    return [server, client];
  }

  override _read(): void {
    const resume = this.#onRead;
    this.#onRead = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: () => void): void {
    const peer = this.#peer;
    // The service frees the memory of a block after it was written, so the reader gets a copy.
    if (peer === undefined || peer.destroyed || peer.push(Buffer.from(chunk))) written();
    else peer.#onRead = written;
  }

  override _final(ended: () => void): void {
    this.#peer?.push(null);
    ended();
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    this._read();
    this.#peer?.destroy();
    destroyed(error);
  }

  /** Does nothing: the reader is in this process and never stalls. */
  setTimeout(): this {
    return this;
  }

  resetAndDestroy(): this {
    return this.destroy();
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }
}
