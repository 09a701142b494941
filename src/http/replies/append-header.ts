/** Adds to a header whose value is a list, whatever others have put there before. */

import type { FastifyReply } from 'fastify';

export function addHeader(reply: FastifyReply, name: string, value: string): void {
  const before = reply.getHeader(name);
  reply.header(name, before === undefined ? value : `${String(before)}, ${value}`);
}
