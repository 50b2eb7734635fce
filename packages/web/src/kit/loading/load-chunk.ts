/** A chunk could not be loaded, and a reload did not help or was not possible. */
export class ChunkError extends Error {
  override readonly name = "ChunkError";
}

/** Spec §9. */
export const CHUNK_LOAD_TIMEOUT_MS = 120_000;
const RELOADED_FOR_KEY = "parley.reloadedForChunk";

/**
 * Loads a chunk of the program within the spec's 120 s. After a new version is deployed the old chunks no longer exist: the first failure
 * of a chunk reloads the page, a second failure of the same chunk rejects. Failures are counted per chunk, because otherwise a chunk that
 * is missing permanently would reload the page for ever. There is no reload while the page itself cannot be fetched.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  // The source text of `load` names the file, so it identifies the chunk.
  const chunk = String(load);
  const failed = failedChunks();
  try {
    const loaded = await withTimeout(load());
    if (failed.includes(chunk)) saveFailedChunks(failedChunks().filter((other) => other !== chunk));
    return loaded;
  } catch (error) {
    const canReload = !failed.includes(chunk) && (await isPageReachable());
    if (!canReload || !saveFailedChunks([...failedChunks(), chunk])) {
      throw new ChunkError("a chunk of the program could not be loaded", { cause: error });
    }
    location.reload();
    return new Promise<Chunk>(() => undefined);
  }
}

/** Without a network, or while the server is down, a reload would leave the person with the browser's own error page. */
async function isPageReachable(): Promise<boolean> {
  try {
    return (await fetch(location.pathname, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

async function withTimeout<Chunk>(loading: Promise<Chunk>): Promise<Chunk> {
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

/** Chunks whose failure has reloaded this tab, and that have not been loaded since. */
function failedChunks(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(RELOADED_FOR_KEY) ?? "[]");
    return Array.isArray(saved) ? saved.filter((chunk) => typeof chunk === "string") : [];
  } catch {
    return [];
  }
}

/** False if they cannot be saved: then a reload could repeat for ever. */
function saveFailedChunks(chunks: readonly string[]): boolean {
  try {
    if (chunks.length === 0) sessionStorage.removeItem(RELOADED_FOR_KEY);
    else sessionStorage.setItem(RELOADED_FOR_KEY, JSON.stringify(chunks));
    return true;
  } catch {
    return false;
  }
}
