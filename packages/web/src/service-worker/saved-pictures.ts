/** A picture that is saved, without its bytes. */
export interface SavedPicture {
  readonly url: string;
  readonly bytes: number;
  /** When it was seen last, to about a day; epoch ms. */
  readonly seenAt: number;
}

/** How much is saved. */
export interface SaveLimits {
  readonly pictures: number;
  readonly bytes: number;
}

/** A picture that is seen again is only marked again after this time, because that writes all of its bytes. */
const SEEN_AGAIN_MS = 24 * 3_600_000;

/** Headers of a saved answer; everything else about it is of no use later. */
const SEEN_AT = "x-seen-at";
const BYTES = "content-length";
const SAVED_HEADERS = ["content-type", "etag", "content-security-policy", "x-content-type-options"];

/** Which pictures must go, so that the rest is within the limits: those that were not seen for longest. */
export function surplus(pictures: readonly SavedPicture[], limits: SaveLimits): readonly string[] {
  let bytes = 0;
  let count = 0;
  return pictures
    .toSorted((a, b) => b.seenAt - a.seenAt)
    .filter((picture) => {
      count += 1;
      bytes += picture.bytes;
      return count > limits.pictures || bytes > limits.bytes;
    })
    .map(({ url }) => url);
}

/**
 * Pictures for the time without a network, in a cache of the browser. Changes run one after the other. Pictures whose loading
 * began before `clear` are not saved after it.
 */
export class SavedPictures {
  readonly #open: () => Promise<Cache>;
  readonly #limits: SaveLimits;
  readonly #now: () => number;
  #index: Map<string, SavedPicture> | null = null;
  #clearings = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(open: () => Promise<Cache>, limits: SaveLimits, now: () => number) {
    this.#open = open;
    this.#limits = limits;
    this.#now = now;
  }

  /** To be passed to `save` by whoever begins to load a picture now. */
  beginLoading(): number {
    return this.#clearings;
  }

  async find(url: string): Promise<Response | undefined> {
    return (await this.#open()).match(url);
  }

  /** Saves an answer and removes what is too much then. A browser that refuses more room gets all of it back. */
  save(url: string, answer: Response, loading: number): Promise<void> {
    return this.#afterOthers(async () => {
      const cache = await this.#open();
      const index = await this.#readIndex(cache);
      const seenAt = this.#now();
      if (loading !== this.#clearings || seenAt - (index.get(url)?.seenAt ?? -Infinity) < SEEN_AGAIN_MS)
        return;
      const body = await answer.arrayBuffer();
      const headers = new Headers({ [SEEN_AT]: String(seenAt), [BYTES]: String(body.byteLength) });
      for (const name of SAVED_HEADERS) {
        const value = answer.headers.get(name);
        if (value !== null) headers.set(name, value);
      }
      try {
        await cache.put(url, new Response(body, { headers }));
      } catch {
        return this.#removeAll(cache);
      }
      index.set(url, { url, bytes: body.byteLength, seenAt });
      for (const old of surplus([...index.values()], this.#limits)) await this.#removeFrom(cache, old);
    });
  }

  remove(url: string): Promise<void> {
    return this.#afterOthers(async () => {
      const cache = await this.#open();
      await this.#readIndex(cache);
      await this.#removeFrom(cache, url);
    });
  }

  clear(): Promise<void> {
    this.#clearings += 1;
    return this.#afterOthers(async () => this.#removeAll(await this.#open()));
  }

  /** The pictures that were not seen for longest first. */
  async all(): Promise<readonly SavedPicture[]> {
    const index = await this.#readIndex(await this.#open());
    return [...index.values()].toSorted((a, b) => a.seenAt - b.seenAt);
  }

  async #removeFrom(cache: Cache, url: string): Promise<void> {
    await cache.delete(url);
    this.#index?.delete(url);
  }

  async #removeAll(cache: Cache): Promise<void> {
    for (const request of await cache.keys()) await cache.delete(request);
    this.#index = new Map();
  }

  /** The worker ends whenever it has nothing to do, so the index is read again from the cache. */
  async #readIndex(cache: Cache): Promise<Map<string, SavedPicture>> {
    if (this.#index !== null) return this.#index;
    const index = new Map<string, SavedPicture>();
    for (const request of await cache.keys()) {
      const { pathname: url } = new URL(request.url);
      const headers = (await cache.match(request))?.headers;
      index.set(url, {
        url,
        bytes: Number(headers?.get(BYTES) ?? 0),
        seenAt: Number(headers?.get(SEEN_AT) ?? 0),
      });
    }
    this.#index = index;
    return index;
  }

  #afterOthers(change: () => Promise<void>): Promise<void> {
    const changed = this.#last.then(change);
    this.#last = changed.catch(() => undefined);
    return changed;
  }
}
