/** Serves the data of a person as an archive, by a link that works once. */
import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api/api-error.ts";
import { type Language, languageOf } from "../api/language.ts";

/** What is served. */
export interface ServedExports {
  /** The archive for the person of a link. Throws if the link is no longer valid. */
  openExport(token: string, language: Language): Promise<Readable>;
}

/** Adds the route to which `POST /user/export` links. */
export function serveExport(server: FastifyInstance, { openExport }: ServedExports): void {
  server.get<{ Querystring: { token?: unknown } }>(
    "/api/user/export/download",
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { token } = request.query;
      if (typeof token !== "string") throw new ApiError("request.notFound");
      const archive = await openExport(token, languageOf(request.headers["accept-language"]));
      return reply
        .headers({
          "content-type": "application/zip",
          "content-disposition": 'attachment; filename="parley-export.zip"',
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
        })
        .send(archive);
    },
  );
}
