/** Appends a value to a response header whose value is a list, such as `Vary`. */

import type { FastifyReply } from 'fastify';

export function appendHeader(reply: FastifyReply, name: string, value: string): void {
  const before = reply.getHeader(name);
  reply.header(name, before === undefined ? value : `${String(before)}, ${value}`);
}
