import { registerRoute } from "workbox-routing/registerRoute";
import { isWorkerMessage } from "../platform/worker-messages.ts";
import { withinTime } from "../platform/time-limit.ts";
import { CACHE_LIMIT_MS, finishWithEvent } from "./saved-answer.ts";
import { SavedPictures } from "./saved-pictures.ts";

declare const self: ServiceWorkerGlobalScope;

const LIMITS = { pictures: 400, bytes: 32 * 1024 * 1024 };
/** Thumbnails and avatars are smaller; the originals of photos would push them out. */
const PICTURE_MAX_BYTES = 1024 * 1024;
/** How many of the saved pictures are asked about each time. */
const CHECK_MAX = 50;

/**
 * Pictures of messages and avatars. The server is asked each time, because a recall deletes the files of its message (decision 17); what is
 * saved is only shown when the server cannot be reached. Videos, their ranges, and pictures of other servers are not touched.
 */
export function servePictures(): void {
  const saved = new SavedPictures(
    () => caches.open("parley-pictures"),
    LIMITS,
    () => Date.now(),
  );
  registerRoute(
    ({ request, sameOrigin, url }) => sameOrigin && isPicture(request, url),
    ({ request, url, event }) => answer(saved, request, url.pathname, event),
  );
  self.addEventListener("message", (event) => {
    if (isWorkerMessage(event.data, "signedOut")) finishWithEvent(event, saved.clear());
    if (isWorkerMessage(event.data, "checkPictures")) finishWithEvent(event, removeDeleted(saved));
    if (isWorkerMessage(event.data, "filesRecalled"))
      finishWithEvent(event, Promise.all(event.data.urls.map((url) => saved.remove(url))));
  });
}

function isPicture(request: Request, url: URL): boolean {
  return (
    url.pathname.startsWith("/files/") && request.destination === "image" && !request.headers.has("range")
  );
}

async function answer(
  saved: SavedPictures,
  request: Request,
  path: string,
  event: ExtendableEvent,
): Promise<Response> {
  const loading = saved.beginLoading();
  let fresh: Response;
  try {
    fresh = await fetch(request);
  } catch (error) {
    const old = await savedPicture(saved, path);
    if (old === undefined) throw error;
    return old;
  }
  if (isUnreachable(fresh)) return (await savedPicture(saved, path)) ?? fresh;
  if (isGone(fresh)) finishWithEvent(event, saved.remove(path));
  else if (isSaveable(fresh)) finishWithEvent(event, saved.save(path, fresh.clone(), loading));
  return fresh;
}

/** A cache that says nothing has no picture. */
function savedPicture(saved: SavedPictures, path: string): Promise<Response | undefined> {
  return withinTime(saved.find(path), CACHE_LIMIT_MS, () => undefined);
}

/** A proxy answers, but not the server behind it. */
function isUnreachable({ status }: Response): boolean {
  return status >= 502 && status <= 504;
}

function isGone({ status }: Response): boolean {
  return status === 404 || status === 410;
}

function isSaveable({ status, type, headers }: Response): boolean {
  const bytes = Number(headers.get("content-length"));
  return status === 200 && type === "basic" && bytes > 0 && bytes <= PICTURE_MAX_BYTES;
}

/** Removes pictures that were recalled while nobody looked at them. The next time, others are asked about. */
async function removeDeleted(saved: SavedPictures): Promise<void> {
  const all = await saved.all();
  const start = Math.floor(Math.random() * all.length);
  const some = [...all.slice(start), ...all.slice(0, start)].slice(0, CHECK_MAX);
  for (const { url } of some) {
    const answered = await fetch(url, { method: "HEAD", cache: "no-store" }).catch(() => null);
    // Without a network there is nothing to learn now.
    if (answered === null) return;
    if (isGone(answered)) await saved.remove(url);
  }
}
