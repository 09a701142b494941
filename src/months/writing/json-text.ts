/** Escapes and unescapes JSON strings as records contain them (see plan/rendering/json-rendering.ts). */

/** A text in quotes; only quotes, backslashes and control characters below U+0020 are escaped. */
export const jsonText = (text: string): string =>
  `"${text.replaceAll(/["\\\p{Cc}]/gu, escapedCharacter)}"`;

function escapedCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const code = character.charCodeAt(0);
  return code < 0x20 ? `\\u00${code.toString(16).padStart(2, '0')}` : character;
}

/** Unescapes the text between the quotes. */
export const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(/\\(?:u00([0-9a-f]{2})|(.))/g, (_, code?: string, character?: string) =>
        code === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
