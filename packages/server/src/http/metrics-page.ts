/** Serves the metrics to Prometheus: on the main port to clients that know a token, or on a port of its own. */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Server, createServer } from "node:http";
import type { FastifyInstance } from "fastify";

const PATH = "/metrics";
const TEXT = "text/plain; charset=utf-8";

/** The page, and the token that it requires. */
export interface MetricsPage {
  /** Requests must contain it; undefined: everybody may ask. */
  token: string | undefined;
  contentType: string;
  text(): Promise<string>;
}

interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Adds the page to the server of everything else. */
export function serveMetrics(server: FastifyInstance, page: MetricsPage): void {
  server.get(PATH, async (request, reply) => {
    const { status, headers, body } = await answerOf(page, request.headers.authorization);
    return reply.code(status).headers(headers).send(body);
  });
}

/** Creates a server that has nothing but the page; it does not listen yet. `onError` gets what fails. */
export function createMetricsServer(page: MetricsPage, onError: (error: unknown) => void): Server {
  return createServer((request, response) => {
    const isPage = request.url?.split("?", 1)[0] === PATH && ["GET", "HEAD"].includes(request.method ?? "");
    const answer = isPage ? answerOf(page, request.headers.authorization) : Promise.resolve(NOT_FOUND);
    answer
      .catch((error: unknown) => {
        onError(error);
        return FAILED;
      })
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body), onError);
  });
}

const NOT_FOUND: PageAnswer = { status: 404, headers: { "content-type": TEXT }, body: "Not found\n" };
const FAILED: PageAnswer = { status: 500, headers: { "content-type": TEXT }, body: "Failed\n" };

async function answerOf(page: MetricsPage, authorization: string | undefined): Promise<PageAnswer> {
  if (page.token !== undefined && !isSame(authorization ?? "", `Bearer ${page.token}`)) {
    const headers = { "content-type": TEXT, "www-authenticate": 'Bearer realm="metrics"' };
    return { status: 401, headers, body: "Wrong token\n" };
  }
  const headers = { "content-type": page.contentType, "cache-control": "no-store" };
  return { status: 200, headers, body: await page.text() };
}

/** Compares in a time that tells nothing about where the texts differ, nor about their lengths. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
