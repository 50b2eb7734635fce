/** Serves uploaded files. Everybody who knows the URL of a file may read it, until the file is deleted. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isVisible, visibleFileName } from "@parley/protocol/text";
import type { Blobs } from "../ports/blobs.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { FileReads } from "../ports/file-store.ts";
import { ApiError } from "../api/api-error.ts";

/**
 * Content types of files that browsers may show in the page, by extension; every other file is a download. A map and not an object, because
 * an extension may be any word, such as `constructor`.
 */
const INLINE_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    png: "image/png",
    webp: "image/webp",
    gif: "image/gif",
    avif: "image/avif",
    mp4: "video/mp4",
    webm: "video/webm",
    mov: "video/quicktime",
    mp3: "audio/mpeg",
    m4a: "audio/mp4",
    ogg: "audio/ogg",
    wav: "audio/wav",
    flac: "audio/flac",
    aac: "audio/aac",
  }),
);
/** Code points of a display name that are sent back; longer names are cut. */
const NAME_MAX = 255;

/** For pictures of accounts and groups, which are never deleted. */
const FOR_EVER = "public, max-age=31536000, immutable";
/** For files that a recall may delete: a browser keeps the bytes, and asks before each use whether they are still there. */
const ASK_AGAIN = "private, no-cache";

/** What is served. */
export interface ServedFiles {
  blobs: Pick<Blobs, "stat" | "read">;
  store: Pick<FileReads, "findFile">;
  metrics: Pick<Metrics, "fileServed">;
}

interface FileRoute {
  Params: { random: string; name: string };
  Querystring: { name?: unknown; download?: unknown };
}

/** Adds the route `/files`. */
export function serveFiles(server: FastifyInstance, { blobs, store, metrics }: ServedFiles): void {
  const serve = async (request: FastifyRequest<FileRoute>, reply: FastifyReply) => {
    const { random, name } = request.params;
    if (!/^[\w-]{1,64}$/.test(random) || !/^[\w.-]{1,200}$/.test(name) || name.includes("..")) {
      throw new ApiError("request.notFound");
    }
    const key = `${random}/${name}`;
    // A file that is marked for deletion still has its bytes for a moment.
    const file = await store.findFile(`/files/${key}`);
    if (file === undefined) throw new ApiError("request.notFound");
    // The content of a URL never changes, so the random part names the content.
    const etag = `"${random}"`;
    const caching = { etag, "cache-control": file.isKeptForEver ? FOR_EVER : ASK_AGAIN };
    if (isNamedIn(request.headers["if-none-match"], etag)) return reply.code(304).headers(caching).send();
    const stat = await blobs.stat(key);
    if (stat === undefined) throw new ApiError("request.notFound");
    // Without a matching tag the client has another file and needs the whole one (RFC 9110).
    const isRangeValid = [undefined, etag].includes(firstOf(request.headers["if-range"]));
    const range = isRangeValid ? rangeOf(request.headers.range, stat.size) : undefined;
    if (range === "outside") {
      return reply
        .code(416)
        .header("content-range", `bytes */${stat.size}`)
        .header("content-length", 0)
        .send();
    }
    const isHead = request.method === "HEAD";
    const data = isHead ? undefined : await blobs.read(key, range);
    // It was deleted since the first look.
    if (!isHead && data === undefined) throw new ApiError("request.notFound");
    const bytes = range === undefined ? stat.size : range.end - range.start + 1;
    if (!isHead) metrics.fileServed(bytes);
    void reply.headers(caching).headers(descriptionOf(name, request.query)).header("content-length", bytes);
    if (range !== undefined) {
      void reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${stat.size}`);
    }
    return reply.send(data);
  };
  server.route<FileRoute>({ method: ["GET", "HEAD"], url: "/files/:random/:name", handler: serve });
}

/** The headers that say what a file is and what a browser may do with it. */
function descriptionOf(
  storedName: string,
  { name, download }: FileRoute["Querystring"],
): Readonly<Record<string, string>> {
  const type = INLINE_TYPES.get(storedName.slice(storedName.lastIndexOf(".") + 1).toLowerCase());
  const disposition = type === undefined || download === "1" ? "attachment" : "inline";
  return {
    "content-type": type ?? "application/octet-stream",
    "content-disposition": disposition + fileNameParameter(name),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "accept-ranges": "bytes",
  };
}

/** The name under which a browser saves the file, encoded so that it cannot contain anything but itself (RFC 8187). */
function fileNameParameter(name: unknown): string {
  if (typeof name !== "string" || !isVisible(name)) return "";
  const safe = [...visibleFileName(name).replace(/[/\\]/g, "_")];
  if (safe.length === 0) return "";
  const encoded = encodeURIComponent(safe.slice(0, NAME_MAX).join(""));
  return `; filename*=UTF-8''${encoded.replace(/['()*]/g, percentEncoded)}`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "object" ? header[0] : header;
}

function isNamedIn(header: string | undefined, etag: string): boolean {
  return header?.split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim())) === true;
}

/** Parses a header with one byte range. Returns undefined, which means the whole file, if it is absent, has several ranges or is not understood. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "outside" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header ?? "");
  if (!match) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "outside" : { start: size - length, end: size - 1 };
  }
  const start = Number(from);
  const end = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size) return "outside";
  return start > end ? undefined : { start, end };
}
