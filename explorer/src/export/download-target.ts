/** Download targets: a file picked by the user if the browser supports it, otherwise memory. */

export interface Target {
  readonly stream: WritableStream<Uint8Array>;
  /** Saves a file that is in memory. */
  save(): void;
  /** Removes an incomplete file. */
  discard(): Promise<void>;
}

/** A picked file (File System Access API). It keeps its former content until the stream is closed. */
interface PickedFile {
  getFile(): Promise<{ readonly size: number }>;
  createWritable(): Promise<WritableStream<Uint8Array>>;
  /** Not supported by every browser. */
  remove?(): Promise<void>;
}

interface Picker {
  showSaveFilePicker(options: { readonly suggestedName: string }): Promise<PickedFile>;
}

const hasPicker = (page: object): page is Picker => 'showSaveFilePicker' in page;

/** Lets the user pick a file, if the browser can. Undefined after a cancel. Throws if the file cannot be written. */
export async function openTarget(name: string, mediaType: string): Promise<Target | undefined> {
  if (!hasPicker(window)) return memoryTarget(name, mediaType);
  const file = await window.showSaveFilePicker({ suggestedName: name }).catch(undefinedIfCancelled);
  return file === undefined ? undefined : await fileTarget(file);
}

function undefinedIfCancelled(error: unknown): undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  throw error;
}

async function fileTarget(file: PickedFile): Promise<Target> {
  const discard = async () => {
    // A file with content existed before and belongs to the user.
    if ((await file.getFile()).size === 0) await file.remove?.();
  };
  try {
    return { stream: await file.createWritable(), save: () => undefined, discard };
  } catch (error) {
    await discard().catch(() => undefined);
    throw error;
  }
}

/** Milliseconds until the object URL is released; the browser must start saving before. */
const REVOKE_AFTER = 60_000;

function memoryTarget(name: string, mediaType: string): Target {
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
    setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER);
  };
  return { stream, save, discard: async () => undefined };
}
