/** Where a download goes: into a file as it comes where the browser can, else into memory until it is whole. */

export interface Target {
  readonly stream: WritableStream<Uint8Array>;
  /** Gives the file to the reader, where it is not in its place yet. */
  save(): void;
}

interface Picker {
  showSaveFilePicker(options: {
    readonly suggestedName: string;
  }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

const hasPicker = (page: object): page is Picker => 'showSaveFilePicker' in page;

/** Undefined where the reader chose no place after all. */
export async function openTarget(name: string, mediaType: string): Promise<Target | undefined> {
  // A driven browser shows no dialog in which a place could be chosen.
  if (!hasPicker(window) || navigator.webdriver) return inMemory(name, mediaType);
  try {
    const place = await window.showSaveFilePicker({ suggestedName: name });
    return { stream: await place.createWritable(), save: () => undefined };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return inMemory(name, mediaType);
  }
}

/** Milliseconds for which a browser may take to begin saving. */
const SAVING = 60_000;

function inMemory(name: string, mediaType: string): Target {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const stream = new WritableStream<Uint8Array>({
    write: (bytes) => void parts.push(new Uint8Array(bytes)),
    abort: () => void parts.splice(0),
  });
  const save = () => {
    const address = URL.createObjectURL(new Blob(parts, { type: mediaType }));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), SAVING);
  };
  return { stream, save };
}
