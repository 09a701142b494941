/** Character encodings of files: names, detection and conversion to UTF-8. */

/** The most frequent encodings of files, by their names in the Encoding Standard. */
export const COMMON_ENCODINGS = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'utf-16be',
  'iso-8859-15',
  'macintosh',
];

/** The name of an encoding in the Encoding Standard; undefined if there is none. */
export function encodingNamed(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** What the first bytes of a file tell about its encoding. */
export type DetectedEncoding = string | 'unknown';

const [LITTLE, BIG] = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/**
 * The stated encoding, or else the detected one. A byte order mark takes precedence over a stated UTF-16.
 *
 * `unknown` means that none is stated, and that the text is not valid UTF-8, UTF-16 or clearly Windows-1252.
 */
export function detectEncoding(head: Buffer, stated?: string): DetectedEncoding {
  const isUtf16 = stated === undefined || stated.startsWith('utf-16');
  if (isUtf16 && head.subarray(0, 2).equals(LITTLE)) return 'utf-16le';
  if (isUtf16 && head.subarray(0, 2).equals(BIG)) return 'utf-16be';
  if (stated !== undefined) return stated;
  const [first, second, third, fourth] = head;
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  if (isUtf8Head(head)) return 'utf-8';
  const sample = new Utf8Sample();
  sample.add(head);
  if (sample.isBrokenUtf8) return 'unknown';
  return isWestern(new TextDecoder('windows-1252').decode(head)) ? 'windows-1252' : 'unknown';
}

/** The last character may be cut. */
function isUtf8Head(head: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Each replaced character is a broken one. */
const BROKEN = /\uFFFD/g;

/** European letters and signs. Their bytes in UTF-8 rarely follow each other in other encodings. */
const EUROPEAN = /[\u00A0-\u017F\u2010-\u20CF\u2122]/g;

const countOf = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

/** Recognises UTF-8 with broken characters. As Windows-1252 it would be read as `SociÃ©tÃ©`. */
export class Utf8Sample {
  readonly #decoder = new TextDecoder('utf-8');
  #broken = 0;
  #wellFormed = 0;

  add(block: Uint8Array): void {
    const text = this.#decoder.decode(block, { stream: true });
    this.#broken += countOf(BROKEN, text);
    this.#wellFormed += countOf(EUROPEAN, text);
  }

  get isBrokenUtf8(): boolean {
    return this.#broken > 0 && this.#broken <= 10 * this.#wellFormed;
  }
}

const LETTERS = 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœ';

const SIGNS = '€‘’“”„…–—•™\u00A0¡£§©ª«®°²´µ·º»';

/** The Hungarian ő of Windows-1250. In Western Europe, only Portuguese has õ, and always before e. */
const HUNGARIAN = /[õÕ](?=[^eE])/;

/** The ä, ö and Ö of CP850 and CP437 inside a word, where no quote and no trademark sign is. */
const DOS = /[A-Za-z][„”™][A-Za-z]/;

const [OTHER, RUN, LONE] = [
  new RegExp(`[^\\u0000-\\u007f${LETTERS}${SIGNS}]`),
  new RegExp(`[${LETTERS}]{3}`),
  new RegExp(`(?<![A-Za-z${LETTERS}])(?![àÀ](?![A-Za-z]))[${LETTERS}]{1,2}(?![A-Za-z${LETTERS}])`),
];

/**
 * Whether a text that was decoded as Windows-1252 looks Western European.
 *
 * Decoded in this way, Cyrillic and Greek words become runs of accented letters, or short words of accented
 * letters only. Texts in other encodings get signs that Western European texts rarely have.
 */
const isWestern = (text: string): boolean =>
  ![OTHER, RUN, LONE, HUNGARIAN, DOS].some((sign) => sign.test(text));

/** The content in UTF-8. Throws a TypeError if it is not valid in the encoding. */
export async function* utf8Blocks(
  content: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const block of content) yield Buffer.from(decoder.decode(block, { stream: true }));
  yield Buffer.from(decoder.decode());
}
