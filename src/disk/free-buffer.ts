/**
 * Frees the memory of a block at once, when its owner no longer needs it.
 *
 * Left to the garbage collector, a gigabyte of blocks makes it search the whole heap dozens of
 * times, which takes half of the time of a large download. Shared memory is left alone: a buffer
 * from the pool of Node.js never takes more than half of the pool.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  const isAlone = 2 * byteLength > buffer.byteLength;
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
