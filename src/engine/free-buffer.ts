/**
 * Gives the memory of a block back at once, whose owner has no more use for it.
 *
 * Left to the garbage collector, a gigabyte of blocks makes it search the whole heap dozens of
 * times, which costs half of the time of a large download. Memory that may be shared is left alone:
 * what Node.js takes from its pool never covers half of it.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  const isAlone = 2 * byteLength > buffer.byteLength;
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
