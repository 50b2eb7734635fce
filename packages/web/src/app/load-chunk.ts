import { CHUNK_LOAD_TIMEOUT_MS } from "@parley/protocol/limits";

/** A part of the program did not arrive, and a reload has been tried. */
export class ChunkError extends Error {
  override readonly name = "ChunkError";
}

const MARK = "parley.reloadedForChunk";

/**
 * Loads a part of the program within the spec's 120 s. After a new version is put in place old parts are gone: the first failure
 * reloads the page by itself, a second one in a row is told.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    const part = await withTimeout(load());
    mark(null);
    return part;
  } catch (error) {
    if (isMarked()) throw new ChunkError("a part of the program could not be loaded", { cause: error });
    if (!mark("yes")) throw new ChunkError("a part of the program could not be loaded", { cause: error });
    location.reload();
    return new Promise<Part>(() => undefined);
  }
}

async function withTimeout<Part>(loading: Promise<Part>): Promise<Part> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), CHUNK_LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isMarked(): boolean {
  try {
    return sessionStorage.getItem(MARK) !== null;
  } catch {
    return false;
  }
}

/** False when the mark cannot be kept: then a reload could go round for ever. */
function mark(value: string | null): boolean {
  try {
    if (value === null) sessionStorage.removeItem(MARK);
    else sessionStorage.setItem(MARK, value);
    return true;
  } catch {
    return false;
  }
}
