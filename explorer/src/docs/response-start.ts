/** Reads the beginning of a response as text, so that a list of any length can be shown. */

/** The maximum number of bytes to read. */
const MOST = 20_000;

const TEXT = /^(text|application)\/(.*\+)?(json|x-ndjson|csv|html|plain)\b/;

interface Start {
  /** Empty if the response is not text. */
  readonly text: string;
  readonly isCut: boolean;
}

export async function readStart(response: Response): Promise<Start> {
  const { body, headers } = response;
  if (body === null || !TEXT.test(headers.get('content-type') ?? '')) {
    await body?.cancel();
    return { text: '', isCut: false };
  }
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let left = MOST; left > 0; ) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader.cancel();
  return { text, isCut: true };
}
