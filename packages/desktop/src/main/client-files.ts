/** Serves the built client to the window, with a strict content security policy. */
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { isOwnAddress } from "./own-origin.ts";

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ".css": "text/css; charset=utf-8",
    ".gif": "image/gif",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".m4a": "audio/mp4",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".wav": "audio/wav",
    ".webm": "video/webm",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
  }),
);

/**
 * As the server's for its own client (`packages/server/src/http/serve-web-client.ts`), because the client is the same: connections and
 * pictures from any server, since the person chooses it, scripts from the built files only, inline styles of the headless components.
 */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: http: https:",
  "media-src 'self' blob: http: https:",
  "connect-src 'self' blob: http: https: ws: wss:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Paths that are never a screen: a page in place of a missing file would hide the mistake. */
const NOT_A_SCREEN = /^\/(api|im|files|assets|emoticons)(\/|$)/;

/** What files of a build are called. No part begins with a dot, so none leads upwards or is hidden. */
const BUILT_FILE = /^(?:\/[\w@-][\w@.-]*)+$/;

/** The request for a file. A `Request` fits. */
interface FileRequest {
  readonly method: string;
  readonly url: string;
}

/**
 * Answers requests for `app://parley` with the files of this folder and nothing outside it. A path without an extension is a screen of the
 * client and gets its page.
 */
export function createClientFiles(folder: string): (request: FileRequest) => Promise<Response> {
  return async ({ method, url }) => {
    if (method !== "GET" && method !== "HEAD") return refuse(405);
    const path = isOwnAddress(url) ? decodedPath(url) : null;
    if (path === null) return refuse(404);
    const isScreen = extname(path) === "" && !NOT_A_SCREEN.test(path);
    if (!isScreen && !BUILT_FILE.test(path)) return refuse(404);
    const file = await fileInside(folder, isScreen ? "/index.html" : path);
    if (file === null) return refuse(404);
    const type = CONTENT_TYPES.get(extname(file).toLowerCase()) ?? "application/octet-stream";
    return new Response(method === "HEAD" ? null : await readFile(file), {
      headers: { ...HEADERS, "content-type": type },
    });
  };
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: HEADERS });
}

/** The path in an address. Null: its percent signs are wrong. */
function decodedPath(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The real path of a file, or null if there is none or if a link leads out of the folder. */
async function fileInside(folder: string, path: string): Promise<string | null> {
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code)))
      return null;
    throw error;
  }
}
