/** Holds at compile time that a closed set was handled whole. */
export function assertNever(value: never): never {
  throw new TypeError(`Not in the closed set: ${String(value)}`);
}
