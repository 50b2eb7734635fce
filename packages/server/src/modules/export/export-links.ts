/** Links by which people download their own data: a browser saves a link without holding the archive in memory. */
import { createHash } from "node:crypto";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { ExportTokens, Handlers, Sessions } from "../../api/api-call.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";

export interface ExportLinksDeps {
  tokens: ExportTokens;
  rateLimiter: RateLimiter;
  sessions: Pick<Sessions, "findEnded">;
}

/** Makes links and opens them. */
export interface ExportLinks {
  handlers: Pick<Handlers, "exportData">;
  /** The person whose data a link is for. Throws if it is expired or was used before, or if the session that made it has ended. */
  open(token: string, now: number): Promise<number>;
}

export function createExportLinks({ tokens, rateLimiter, sessions }: ExportLinksDeps): ExportLinks {
  return {
    handlers: {
      async exportData({ actor, now }) {
        refuseIfLimited(await rateLimiter.consume("exports", actor.userId));
        const token = await tokens.issueExport(actor, now);
        return { url: `/api/user/export/download?token=${encodeURIComponent(token)}` };
      },
    },
    async open(token, now) {
      const session = tokens.readExport(token, now);
      if (session === undefined) throw new ApiError("request.notFound");
      // The signature is not what is counted: another spelling of it may be as valid.
      const signed = token.slice(0, token.lastIndexOf("."));
      const key = createHash("sha256").update(signed).digest("base64url");
      if ((await rateLimiter.consume("exportLinks", key)) > 0) throw new ApiError("request.notFound");
      if ((await sessions.findEnded([session.sessionId])).size > 0) throw new ApiError("request.notFound");
      return session.userId;
    },
  };
}
