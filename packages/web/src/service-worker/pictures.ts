import { registerRoute } from "workbox-routing/registerRoute";
import { isWorkerMessage } from "../platform/worker-messages.ts";
import { KeptPictures } from "./kept-pictures.ts";

declare const self: ServiceWorkerGlobalScope;

const LIMITS = { pictures: 400, bytes: 32 * 1024 * 1024 };
/** Thumbnails and avatars are smaller; the originals of photos would push them out. */
const PICTURE_MAX_BYTES = 1024 * 1024;
/** How many of the kept pictures are asked about each time. */
const CHECK_MAX = 50;

/**
 * Pictures of messages and avatars. The server is asked each time, because a recall deletes the files of its message (decision 17); what is
 * kept is only shown when the server cannot be reached. Videos, their ranges, and pictures of other servers are not touched.
 */
export function servePictures(): void {
  const kept = new KeptPictures(
    () => caches.open("parley-pictures"),
    LIMITS,
    () => Date.now(),
  );
  registerRoute(
    ({ request, sameOrigin, url }) => sameOrigin && isPicture(request, url),
    ({ request, url, event }) => answer(kept, request, url.pathname, event),
  );
  self.addEventListener("message", (event) => {
    if (isWorkerMessage(event.data, "signedOut")) event.waitUntil(kept.clear());
    if (isWorkerMessage(event.data, "checkPictures")) event.waitUntil(removeDeleted(kept));
  });
}

function isPicture(request: Request, url: URL): boolean {
  return (
    url.pathname.startsWith("/files/") && request.destination === "image" && !request.headers.has("range")
  );
}

async function answer(
  kept: KeptPictures,
  request: Request,
  path: string,
  event: ExtendableEvent,
): Promise<Response> {
  const loading = kept.beginLoading();
  let fresh: Response;
  try {
    fresh = await fetch(request);
  } catch (error) {
    const old = await kept.find(path);
    if (old === undefined) throw error;
    return old;
  }
  if (isUnreachable(fresh)) return (await kept.find(path)) ?? fresh;
  if (isGone(fresh)) event.waitUntil(kept.remove(path));
  else if (isKeepable(fresh)) event.waitUntil(kept.keep(path, fresh.clone(), loading));
  return fresh;
}

/** A proxy answers, but not the server behind it. */
function isUnreachable({ status }: Response): boolean {
  return status >= 502 && status <= 504;
}

function isGone({ status }: Response): boolean {
  return status === 404 || status === 410;
}

function isKeepable({ status, type, headers }: Response): boolean {
  const bytes = Number(headers.get("content-length"));
  return status === 200 && type === "basic" && bytes > 0 && bytes <= PICTURE_MAX_BYTES;
}

/** Removes pictures that were recalled while nobody looked at them. The next time, others are asked about. */
async function removeDeleted(kept: KeptPictures): Promise<void> {
  const all = await kept.all();
  const start = Math.floor(Math.random() * all.length);
  const some = [...all.slice(start), ...all.slice(0, start)].slice(0, CHECK_MAX);
  for (const { url } of some) {
    const answered = await fetch(url, { method: "HEAD", cache: "no-store" }).catch(() => null);
    // Without a network there is nothing to learn now.
    if (answered === null) return;
    if (isGone(answered)) await kept.remove(url);
  }
}
