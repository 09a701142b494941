/** Where a download goes: into a file as it comes where the browser can, else into memory until it is whole. */

export interface Target {
  readonly stream: WritableStream<Uint8Array>;
  /** Gives the file to the reader, where it is not in its place yet. */
  save(): void;
  /** Leaves nothing of what did not become whole. */
  discard(): Promise<void>;
}

/** A file that the reader has chosen (File System Access); until the stream is closed it stays as it was. */
interface Place {
  getFile(): Promise<{ readonly size: number }>;
  createWritable(): Promise<WritableStream<Uint8Array>>;
  /** Some browsers have it. */
  remove?(): Promise<void>;
}

interface Picker {
  showSaveFilePicker(options: { readonly suggestedName: string }): Promise<Place>;
}

const hasPicker = (page: object): page is Picker => 'showSaveFilePicker' in page;

/** Undefined where the reader chose no place after all; throws what the browser says of a place that is of no use. */
export async function openTarget(name: string, mediaType: string): Promise<Target | undefined> {
  if (!hasPicker(window)) return inMemory(name, mediaType);
  const place = await window.showSaveFilePicker({ suggestedName: name }).catch(noneChosen);
  return place === undefined ? undefined : await inPlace(place);
}

function noneChosen(error: unknown): undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  throw error;
}

async function inPlace(place: Place): Promise<Target> {
  const discard = async () => {
    // One that was there before, with something in it, is the reader's.
    if ((await place.getFile()).size === 0) await place.remove?.();
  };
  try {
    return { stream: await place.createWritable(), save: () => undefined, discard };
  } catch (error) {
    await discard().catch(() => undefined);
    throw error;
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
  return { stream, save, discard: async () => undefined };
}
