/**
 * Frees the memory of a block at once, when its owner no longer needs it.
 *
 * Otherwise the garbage collector would search the whole heap dozens of times for a gigabyte of blocks, which takes
 * half of the time of a large download. Shared memory is left alone: a buffer from the pool of Node.js takes at
 * most half of the pool, so a block with more than half of its memory has that memory for itself.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  const isAlone = 2 * byteLength > buffer.byteLength;
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
