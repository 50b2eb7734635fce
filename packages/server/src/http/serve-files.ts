/** Uploaded files: whoever has the url may read. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Blobs } from "../ports/blobs.ts";
import { ApiError } from "../ports/call.ts";

/** A map: a name may end in anything, such as `constructor`. */
const TYPES: ReadonlyMap<string, string> = new Map(
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
  const type = TYPES.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
  void reply
    .header("content-type", type ?? "application/octet-stream")
    .header("content-disposition", type === undefined ? "attachment" : "inline")
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("cross-origin-resource-policy", "cross-origin")
    // A name is written once and never again.
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("accept-ranges", "bytes");
}

/** One range of bytes; undefined (all of them) for a header that is absent, of several ranges or not understood. */
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
