/** Serves uploaded files. Everybody who knows the URL of a file may read it. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Blobs } from "../ports/blobs.ts";
import { ApiError } from "../calls/api-error.ts";

/** Content types by file extension. A map and not an object, because an extension may be any word, such as `constructor`. */
const CONTENT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    png: "image/png",
    webp: "image/webp",
    gif: "image/gif",
    mp4: "video/mp4",
    webm: "video/webm",
    mp3: "audio/mpeg",
    m4a: "audio/mp4",
    ogg: "audio/ogg",
    wav: "audio/wav",
  }),
);

/** Adds the route `/files`. */
export function serveFiles(server: FastifyInstance, blobs: Blobs): void {
  server.get<{ Params: { random: string; name: string } }>("/files/:random/:name", async (request, reply) => {
    const { random, name } = request.params;
    if (!/^[\w-]{1,64}$/.test(random) || !/^[\w.-]{1,200}$/.test(name) || name.includes("..")) {
      throw new ApiError("request.notFound");
    }
    const key = `${random}/${name}`;
    const stat = await blobs.stat(key);
    if (stat === undefined) throw new ApiError("request.notFound");
    setHeaders(reply, name);
    const range = rangeOf(request.headers.range, stat.size);
    if (range === "outside") {
      return reply.code(416).header("content-range", `bytes */${stat.size}`).send();
    }
    const data = await blobs.read(key, range);
    if (data === undefined) throw new ApiError("request.notFound");
    if (range === undefined) return reply.header("content-length", stat.size).send(data);
    return reply
      .code(206)
      .header("content-range", `bytes ${range.start}-${range.end}/${stat.size}`)
      .header("content-length", range.end - range.start + 1)
      .send(data);
  });
}

function setHeaders(reply: FastifyReply, name: string): void {
  const type = CONTENT_TYPES.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
  void reply
    .header("content-type", type ?? "application/octet-stream")
    .header("content-disposition", type === undefined ? "attachment" : "inline")
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("cross-origin-resource-policy", "cross-origin")
    // The content of a URL never changes.
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("accept-ranges", "bytes");
}

/** Parses a header with one byte range. Returns undefined, which means the whole file, if it is absent, has several ranges or is not understood. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "outside" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
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
