/** Makes a switch over a closed set exhaustive: a forgotten case does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Not in the closed set: ${String(value)}`);
}
