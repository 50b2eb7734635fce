import { CHUNK_LOAD_TIMEOUT_MS } from "@parley/protocol/limits";

/** A part of the program did not arrive, and a reload has been tried. */
export class ChunkError extends Error {
  override readonly name = "ChunkError";
}

const RELOADED_FOR_KEY = "parley.reloadedForChunk";

/**
 * Loads a part of the program within the spec's 120 s. After a new version is put in place old parts are gone: the first failure
 * reloads the page by itself, a second one of the same part is told. Other parts that load meanwhile change nothing, or a part that is
 * gone for good would reload the page for ever. Nor is there a reload while the page itself cannot be had.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  // Every part is asked for by a text of its own: it names the file.
  const part = String(load);
  const failed = failedParts();
  try {
    const loaded = await withTimeout(load());
    if (failed.includes(part)) saveFailedParts(failedParts().filter((other) => other !== part));
    return loaded;
  } catch (error) {
    const canReload = !failed.includes(part) && (await isPageThere());
    if (!canReload || !saveFailedParts([...failedParts(), part])) {
      throw new ChunkError("a part of the program could not be loaded", { cause: error });
    }
    location.reload();
    return new Promise<Part>(() => undefined);
  }
}

/** Without a network, or while the server is down, a reload would leave the person with the browser's own error page. */
async function isPageThere(): Promise<boolean> {
  try {
    return (await fetch(location.pathname, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

async function withTimeout<Part>(loading: Promise<Part>): Promise<Part> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), CHUNK_LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([loading, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Parts whose failure has reloaded this tab, and that have not loaded since. */
function failedParts(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(RELOADED_FOR_KEY) ?? "[]");
    return Array.isArray(saved) ? saved.filter((part) => typeof part === "string") : [];
  } catch {
    return [];
  }
}

/** False when they cannot be kept: then a reload could go round for ever. */
function saveFailedParts(parts: readonly string[]): boolean {
  try {
    if (parts.length === 0) sessionStorage.removeItem(RELOADED_FOR_KEY);
    else sessionStorage.setItem(RELOADED_FOR_KEY, JSON.stringify(parts));
    return true;
  } catch {
    return false;
  }
}
