/** The HTTP server: hooks, errors, health checks and what serves which path. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  errorCodes,
  fastify,
} from "fastify";
import { REFRESH_HEADER, REQUEST_HEADERS } from "@parley/protocol/headers";
import { BODY_MAX_BYTES, REQUEST_TIMEOUT_MS } from "@parley/protocol/limits";
import type { PassFailpoint } from "../ports/failpoints.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { RateLimiter } from "../ports/rate-limiter.ts";
import { ApiError, malformedField } from "../api/api-error.ts";
import type { Handlers, Sessions } from "../api/api-call.ts";
import { networkOf } from "../api/network-of.ts";
import { bindEndpoints, sendAnswer } from "./bind-endpoints.ts";
import { serveDocsPage } from "./docs/docs-page.ts";
import { type SendError, answerBrokenRequest, createSendError } from "./error-answer.ts";
import { type MetricsPage, serveMetrics } from "./metrics-page.ts";
import { NODE_HEADER, REQUEST_ID_HEADER, createRequestIds } from "./request-id.ts";
import { type ServedExports, serveExport } from "./serve-export.ts";
import { type ServedFiles, serveFiles } from "./serve-files.ts";
import { serveWebClient } from "./serve-web-client.ts";
import { noteWaiting } from "./unread-body.ts";

/** How often the time limits of requests are checked, at least. */
const LIMITS_CHECK_MS = 30_000;
const HEADERS_MAX_MS = 60_000;
const PIPELINED_MAX = 50;
const WATCHED_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
/** Strongest cipher first; all have forward secrecy and authenticated encryption. */
const TLS = {
  minVersion: "TLSv1.2",
  honorCipherOrder: true,
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
  ].join(":"),
} as const;
const CORS_HEADERS = [...REQUEST_HEADERS, REFRESH_HEADER, "content-type", "accept-language"].join(", ");

/** What the HTTP server needs. */
export interface HttpServerOptions {
  /** False: only the health checks are served. */
  hasApi: boolean;
  handlers: Handlers;
  sessions: Sessions;
  /** Whether this person is an administrator, whatever this node has heard of it. */
  isAdmin(userId: number): Promise<boolean>;
  files: Omit<ServedFiles, "metrics">;
  exports: ServedExports;
  log: FastifyBaseLogger;
  failpoint: PassFailpoint;
  /** The limit of every uploaded file now, in bytes. */
  fileMaxBytes(): number;
  now(): number;
  /** How far the clock of this machine is ahead of the one by which messages get their times. */
  clockAheadMs(): number;
  rateLimiter: RateLimiter;
  isReady(): Promise<boolean>;
  /** Whether this node and the others can hear each other now. Without that it serves all the same (decision 27). */
  isConnected(): boolean;
  /** Whether pages of this origin may call the API. */
  isOriginAllowed(origin: string): boolean;
  metrics: Pick<Metrics, "clock" | "callAnswered" | "errorAnswered" | "fileServed">;
  /** Served at /metrics; undefined: nothing is. */
  metricsPage: MetricsPage | undefined;
  /** Named in every answer. */
  nodeName: string;
  /** Number of proxies before this server that write X-Forwarded-For. */
  trustProxy: number;
  /** Time limit of a whole request other than an upload. A connection without traffic ends after `REQUEST_TIMEOUT_MS`. */
  wholeRequestMs: number;
  tls: { cert: Buffer; key: Buffer } | undefined;
  /** Whether people reach the server over https, even if a proxy ends TLS. */
  isHttps: boolean;
  /** Folder of the built web client. */
  webFolder: string;
  /** Whether browsers keep the web client for the time without a network. */
  isOfflineAppOn: boolean;
  /** The OpenAPI document. */
  openApi(): unknown;
}

/** Creates the server with all of its routes; it does not listen yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const sendError = createSendError(options.metrics, options.now);
  const server = create(options, sendError);
  nameAnswers(server, options.nodeName);
  tellTime(server, options);
  answerExpectations(server);
  limitPipelining(server);
  requireHost(server);
  server.setErrorHandler(sendError);
  server.setNotFoundHandler((request, reply) => sendError(new ApiError("request.notFound"), request, reply));
  allowOrigins(server, options);
  if (options.isHttps) requireHttps(server);
  refuseWhileClosing(server);
  limitRequests(server, options);
  readJson(server);

  server.get("/healthz", (_request, reply) => sendAnswer(reply, "alive"));
  server.get("/readyz", async (_request, reply) => {
    if (!(await options.isReady())) throw new ApiError("server.unavailable");
    return sendAnswer(reply, options.isConnected() ? "ready" : "ready without Redis");
  });
  if (options.metricsPage !== undefined) serveMetrics(server, options.metricsPage);
  if (options.hasApi) await serveApi(server, options, sendError);
  return server;
}

/** Serves the API with its description, the files and the web client. */
async function serveApi(
  server: FastifyInstance,
  options: HttpServerOptions,
  sendError: SendError,
): Promise<void> {
  // All answers share these bytes, so that somebody who asks on many connections and reads on none causes no copies.
  let openApi: Buffer | undefined;
  server.get("/api/openapi.json", (_request, reply) => {
    openApi ??= Buffer.from(JSON.stringify(options.openApi()));
    return reply
      .type("application/json; charset=utf-8")
      .header("x-content-type-options", "nosniff")
      .send(openApi);
  });
  serveDocsPage(server);
  await bindEndpoints(server, { ...options, sendError });
  serveFiles(server, { ...options.files, metrics: options.metrics });
  serveExport(server, options.exports);
  const { webFolder: folder, isHttps, isOfflineAppOn } = options;
  await serveWebClient(server, { folder, isHttps, isOfflineAppOn });
}

function create(options: HttpServerOptions, sendError: SendError): FastifyInstance {
  const requestIdOf = createRequestIds(options.trustProxy > 0);
  const common = {
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests, because a child logger would cost more than handling the request. Log lines of errors contain the request's id.
    childLoggerFactory: (log: FastifyBaseLogger) => log,
    // A function, because the library rejects a plain number. Only the operator knows how many proxies there are.
    trustProxy: options.trustProxy > 0 && ((_address: string, hop: number) => hop < options.trustProxy),
    bodyLimit: BODY_MAX_BYTES,
    connectionTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: options.wholeRequestMs,
    requestIdHeader: false,
    genReqId: requestIdOf,
    // No hook runs for these.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header(REQUEST_ID_HEADER, request.id).header(NODE_HEADER, options.nodeName);
      sendError(error, request, reply);
    },
    // Bytes that are no request get an id all the same, because people report it.
    clientErrorHandler: (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket) =>
      answerBrokenRequest(error, socket, {
        [REQUEST_ID_HEADER]: requestIdOf({ headers: {} }),
        [NODE_HEADER]: options.nodeName,
      }),
    // `refuseWhileClosing` does it with an envelope.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
  } as const;
  // Ignores offers to upgrade to other protocols (HTTP/2 in clear text) and answers the request.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === "websocket";
  const ofNode = {
    shouldUpgradeCallback,
    connectionsCheckingInterval: Math.min(LIMITS_CHECK_MS, options.wholeRequestMs),
    // The headers are a part of the request: Node would exchange the limits if theirs were longer.
    headersTimeout: Math.min(HEADERS_MAX_MS, options.wholeRequestMs),
    requireHostHeader: false,
  };
  return options.tls === undefined
    ? fastify({ ...common, http: ofNode })
    : fastify({ ...common, https: { ...options.tls, ...TLS, ...ofNode } });
}

/** Names the request and the node, so that an answer leads to the lines of a log. */
function nameAnswers(server: FastifyInstance, nodeName: string): void {
  server.addHook("onRequest", (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id).header(NODE_HEADER, nodeName);
    done();
  });
}

/**
 * What arrives on an open connection while the server closes is refused as any other request; the library ends the connection with the answer.
 * Requests that are under way are answered. The hooks before it let a page of another origin read the refusal.
 */
function refuseWhileClosing(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook("preClose", async () => void (isClosing = true));
  server.addHook("onRequest", (_request, _reply, done) => {
    if (!isClosing) return done();
    done(new ApiError("server.unavailable"));
  });
}

/**
 * Clients compare the times of messages with that of the server, such as to know how long a message can be recalled. A node whose clock is not
 * right tells the time by which messages are stored.
 */
function tellTime(
  server: FastifyInstance,
  { now, clockAheadMs }: Pick<HttpServerOptions, "now" | "clockAheadMs">,
): void {
  server.addHook("onRequest", (_request, reply, done) => {
    const aheadMs = clockAheadMs();
    if (aheadMs !== 0) void reply.header("date", new Date(now() - aheadMs).toUTCString());
    done();
  });
}

/**
 * Tells a client that waits with its body (`Expect: 100-continue`) to send it only if it will be read. A small one is always read; uploads
 * decide after they have checked the caller and the length; everything else is refused.
 */
function answerExpectations({ server }: FastifyInstance): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const { "content-length": length } = request.headers;
    if (length !== undefined && Number(length) <= BODY_MAX_BYTES) response.writeContinue();
    else noteWaiting(request);
    server.emit("request", request, response);
  });
  // Clients that expect something else are answered all the same (RFC 9110 allows it): Node would answer without an envelope.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
}

/** Limits the requests of one address, whatever they ask for. Only who watches the server is always answered. */
function limitRequests(server: FastifyInstance, { rateLimiter, now }: HttpServerOptions): void {
  server.addHook("onRequest", (request, _reply, done) => {
    if (WATCHED_PATHS.has(request.url)) return done();
    const seconds = rateLimiter.take("requestsOfAddress", networkOf(request.ip), 1, now());
    done(seconds > 0 ? new ApiError("request.tooMany", { seconds }) : undefined);
  });
}

/**
 * Limits how many requests of one connection are worked on at the same time. Some hundred of them fit into one packet, and all of their answers
 * would be in memory until the client reads the first one. Browsers and proxies send one request after the answer to another.
 */
function limitPipelining(server: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  server.addHook("onRequest", ({ raw: { socket } }, _reply, done) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    done(count > PIPELINED_MAX ? new ApiError("request.tooMany", { seconds: 1 }) : undefined);
  });
  server.addHook("onResponse", ({ raw: { socket } }, _reply, done) => {
    unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1);
    done();
  });
}

/**
 * Refuses a request of HTTP/1.1 that names no host, which Node would do without an envelope, and one that names two: a proxy may go by another
 * one of them than this server (RFC 9112, section 3.2).
 */
function requireHost(server: FastifyInstance): void {
  server.addHook("onRequest", ({ raw }, _reply, done) => {
    const isMissing = raw.headers.host === undefined && raw.httpVersion === "1.1";
    if (isMissing) return done(malformedField("host", "is missing"));
    done(isHostRepeated(raw.rawHeaders) ? malformedField("host", "is there twice") : undefined);
  });
}

/** `rawHeaders` has names and values in turns. */
function isHostRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count > 1;
}

/**
 * Tells browsers that used HTTPS once to use only HTTPS from now on. They ignore the header on a plain connection, such as one to a LAN
 * address. Subdomains are not included, because they may belong to somebody else.
 */
function requireHttps(server: FastifyInstance): void {
  server.addHook("onRequest", (_request, reply, done) => {
    void reply.header("strict-transport-security", "max-age=31536000");
    done();
  });
}

/** Allows the configured other origins to call. Requests without an Origin header are not affected. */
function allowOrigins(server: FastifyInstance, { isOriginAllowed }: HttpServerOptions): void {
  server.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    // Else a browser would give a page of another origin the cached answer to an `img`, which names no origin.
    if (isFilePath(request)) void reply.header("vary", "Origin");
    if (origin !== undefined && isCrossOriginPath(request) && isOriginAllowed(origin)) {
      void reply
        .header("access-control-allow-origin", origin)
        // Without this the browser hides from the client how long it has to wait, and the server's time.
        .header("access-control-expose-headers", "Retry-After, Date, X-Request-Id, X-Node")
        .header("vary", "Origin");
    }
    done();
  });
  server.options("/api/*", (_request, reply) =>
    reply
      .code(204)
      .header("access-control-allow-methods", "GET, POST, PUT, DELETE")
      .header("access-control-allow-headers", CORS_HEADERS)
      .header("access-control-max-age", 86_400)
      .send(),
  );
}

function isCrossOriginPath(request: FastifyRequest): boolean {
  return request.url.startsWith("/api/") || isFilePath(request);
}

function isFilePath({ url }: FastifyRequest): boolean {
  return url.startsWith("/files/");
}

/** Parses JSON bodies. An empty body counts as none whatever its type, because older clients send the type with every POST. */
function readJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    // Invalid bytes would silently become replacement characters, but texts must be stored exactly.
    if (!isUtf8(body)) return done(malformedField("body", "is not UTF-8"));
    try {
      return done(null, JSON.parse(body.toString("utf8")));
    } catch {
      return done(malformedField("body", "is not JSON"));
    }
  });
  server.addContentTypeParser("*", ({ headers, is404 }, _payload, done) => {
    // An unknown path is the more important news.
    const isIgnored = is404 || headers["content-length"] === "0";
    done(
      isIgnored ? null : new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(headers["content-type"]),
      undefined,
    );
  });
}
