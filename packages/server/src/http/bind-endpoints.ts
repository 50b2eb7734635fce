/** Turns endpoint definitions into routes that authenticate, validate, run the handler and write the envelope. */
import { Readable } from "node:stream";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteHandlerMethod,
  errorCodes,
} from "fastify";
import * as z from "zod/mini";
import { Code } from "@parley/protocol/codes";
import type { Endpoint, UploadFiles } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import type { REFRESH_HEADER, RequestHeader } from "@parley/protocol/headers";
import { IMAGE_MAX_BYTES, REQUEST_TIMEOUT_MS } from "@parley/protocol/limits";
import { ApiError, malformedField } from "../api/api-error.ts";
import {
  type Actor,
  type ApiCall,
  Encoded,
  type Handlers,
  ListInPieces,
  type Sessions,
  type Upload,
} from "../api/api-call.ts";
import { type Language, languageOf } from "../api/language.ts";
import { plainAddress } from "../api/network-of.ts";
import type { PassFailpoint } from "../ports/failpoints.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { RateLimiter } from "../ports/rate-limiter.ts";
import { authenticate, headerOf } from "./authenticate.ts";
import { countCall, refundCall } from "./call-budgets.ts";
import type { SendError } from "./error-answer.ts";
import { listBody } from "./list-body.ts";
import { MultipartBody } from "./multipart-body.ts";
import { UnreadAnswers } from "./unread-answers.ts";
import { takeWaiting } from "./unread-body.ts";

// The locale adds messages that say what is wrong with a field; without it the schemas only say that something is.
z.config(z.locales.en());

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
/** Multipart boundaries and part headers around a file. */
const UPLOAD_OVERHEAD_BYTES = 65_536;
const JSON_TYPE = "application/json; charset=utf-8";

/** What the routes need. */
export interface BindOptions {
  handlers: Handlers;
  sessions: Sessions;
  /** Whether this person is an administrator, whatever this node has heard of it. */
  isAdmin(userId: number): Promise<boolean>;
  failpoint: PassFailpoint;
  /** The limit of every uploaded file now, in bytes. */
  fileMaxBytes(): number;
  now(): number;
  rateLimiter: RateLimiter;
  metrics: Pick<Metrics, "clock" | "callAnswered">;
}

/** The untyped form in which all handlers are called. The schemas of the endpoint have validated the arguments. */
type UntypedCall = ApiCall<unknown, unknown, unknown>;
type UntypedHandler = (call: UntypedCall) => unknown;

/** Adds a route for every endpoint. */
export async function bindEndpoints(
  server: FastifyInstance,
  bindOptions: BindOptions & { sendError: SendError },
): Promise<void> {
  const options = { ...bindOptions, unreadAnswers: new UnreadAnswers() };
  bindMatching(server, options, (endpoint) => endpoint.upload === undefined);
  await server.register(async (uploads) => {
    // The handlers read these bodies themselves.
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
    bindMatching(uploads, options, (endpoint) => endpoint.upload !== undefined);
  });
}

type RouteOptions = BindOptions & { sendError: SendError; unreadAnswers: UnreadAnswers };

function bindMatching(
  server: FastifyInstance,
  options: RouteOptions,
  isIncluded: (endpoint: Endpoint) => boolean,
): void {
  const methodsOf = new Map<string, Set<string>>();
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    if (!isIncluded(endpoint)) continue;
    const url = `/api${endpoint.path}`;
    const handler = options.handlers[name as keyof Handlers] as unknown as UntypedHandler;
    server.route({
      method: endpoint.method,
      url,
      // A HEAD route would run the GET handler, and some of them change something.
      exposeHeadRoute: false,
      handler: routeOf(name as EndpointName, endpoint, handler, options),
    });
    const methods = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, methods.add(endpoint.method));
  }
  for (const [url, allowed] of methodsOf) rejectOtherMethods(server, url, allowed, options.sendError);
}

function rejectOtherMethods(
  server: FastifyInstance,
  url: string,
  allowed: ReadonlySet<string>,
  sendError: SendError,
): void {
  const others = [...METHODS, "HEAD"].filter((method) => !allowed.has(method));
  server.route({
    method: others,
    url,
    // Rejected before the body is read.
    onRequest: (request, reply, _done) => {
      void reply.header("allow", [...allowed].join(", ")).header("connection", "close");
      sendError(malformedField("method", `must be ${[...allowed].join(" or ")}`), request, reply, 405);
    },
    handler: () => undefined,
  });
}

function routeOf(
  name: EndpointName,
  endpoint: Endpoint,
  handler: UntypedHandler,
  options: RouteOptions,
): RouteHandlerMethod {
  const isOptional = endpoint.auth === "optional";
  const { failpoint, metrics, rateLimiter } = options;
  return async (request, reply) => {
    const began = metrics.clock();
    void failpoint("afterReceive");
    const now = options.now();
    let actor: Actor | null = null;
    if (endpoint.auth !== "open") {
      const authenticated = authenticate(options.sessions, request.headers, isOptional, now);
      actor = authenticated instanceof Promise ? await authenticated : authenticated;
    }
    const caller = { actor, ip: () => request.ip, now };
    const counted = countCall(name, rateLimiter, caller);
    if (counted !== undefined) await counted;
    // Before the input is checked, so that somebody who may not call it learns nothing about it.
    if (endpoint.auth === "admin" && (actor === null || !(await options.isAdmin(actor.userId))))
      throw new ApiError("admin.required");
    const call = new HttpCall(
      request,
      reply,
      actor,
      now,
      endpoint.params && parsePart(endpoint.params, request.params, "params"),
      endpoint.query && parsePart(endpoint.query, queryOf(request), "query"),
      endpoint.body && parsePart(endpoint.body, request.body, "body"),
    );
    void failpoint("afterAuthorise");
    const { upload } = endpoint;
    const answer = upload
      ? receiveFiles(upload, options.fileMaxBytes(), handler, call, request, reply)
      : handler(call);
    const made: unknown = answer instanceof Promise ? await answer : answer;
    refundCall(name, rateLimiter, caller);
    const body = made instanceof ListInPieces ? await listBody(made.pieces, ENVELOPE) : envelopeOf(made);
    if (actor !== null && typeof body === "string")
      options.unreadAnswers.add(
        actor.userId,
        { answer: body, isRepeatable: endpoint.method === "GET" },
        (listener) => call.onAnswered(listener),
      );
    const stopped = failpoint("beforeAnswer");
    if (stopped !== undefined) return stopped;
    sendBody(reply, body);
    if (body instanceof Readable) body.once("end", () => metrics.callAnswered(name, began));
    else metrics.callAnswered(name, began);
    void failpoint("afterAnswer");
    return reply;
  };
}

/** The largest body that an upload needs. Files beside `file` are pictures. */
function bodyMaxOf({ maxBytes, fields }: UploadFiles, fileMaxBytes: number): number {
  return (
    Math.min(maxBytes ?? fileMaxBytes, fileMaxBytes) +
    (fields.length - 1) * IMAGE_MAX_BYTES +
    UPLOAD_OVERHEAD_BYTES
  );
}

/** Calls the handler with the files of the request. */
async function receiveFiles(
  upload: UploadFiles,
  fileMaxBytes: number,
  handler: UntypedHandler,
  call: HttpCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { raw } = request;
  if (!/^multipart\/form-data(;|$)/i.test(raw.headers["content-type"] ?? "")) {
    throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(raw.headers["content-type"]);
  }
  const body = new MultipartBody(raw, {
    fields: upload.fields,
    fileMaxBytes: Math.min(upload.maxBytes ?? fileMaxBytes, fileMaxBytes),
    bodyMaxBytes: bodyMaxOf(upload, fileMaxBytes),
  });
  if (takeWaiting(raw)) reply.raw.writeContinue();
  call.upload = body;
  try {
    return await handler(call);
  } catch (error) {
    // The handler sees an error of the stream that it was reading.
    throw body.failure ?? error;
  } finally {
    body.end();
    raw.socket.setTimeout(REQUEST_TIMEOUT_MS);
  }
}

/** Around the data of a successful call. */
const ENVELOPE = [`{"code":${Code.OK},"message":"成功","data":`, "}"] as const;

/** Sends the envelope of a successful call. */
export function sendAnswer(reply: FastifyReply, answer: unknown): FastifyReply {
  return sendBody(reply, envelopeOf(answer));
}

function sendBody(reply: FastifyReply, body: string | Readable): FastifyReply {
  return reply
    .header("content-type", JSON_TYPE)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .send(body);
}

function envelopeOf(answer: unknown): string {
  const [before, after] = ENVELOPE;
  return before + (answer instanceof Encoded ? answer.json : JSON.stringify(answer)) + after;
}

/** Rejects a query that is not valid UTF-8: the parser would keep the escapes of such bytes as text. */
function queryOf({ url, query }: FastifyRequest): unknown {
  const start = url.indexOf("?");
  if (start < 0 || !url.includes("%", start)) return query;
  try {
    decodeURIComponent(url.slice(start));
  } catch {
    throw malformedField("query", "is not percent-encoded UTF-8");
  }
  return query;
}

function parsePart(schema: z.ZodMiniType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? part : issue.path.join(".");
  throw malformedField(field, issue?.message ?? "is wrong");
}

class HttpCall implements UntypedCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly actor: Actor | null;
  readonly now: number;
  upload: Upload | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor | null,
    now: number,
    params: unknown,
    query: unknown,
    body: unknown,
  ) {
    this.#request = request;
    this.#reply = reply;
    this.actor = actor;
    this.now = now;
    this.params = params;
    this.query = query;
    this.body = body;
  }

  get ip(): string {
    return plainAddress(this.#request.ip);
  }

  get isHttpsPage(): boolean {
    const { protocol, headers } = this.#request;
    return protocol === "https" || (headers.origin?.startsWith("https:") ?? false);
  }

  get language(): Language {
    return languageOf(this.#request.headers["accept-language"]);
  }

  header(name: RequestHeader | typeof REFRESH_HEADER): string | null {
    return headerOf(this.#request.headers, name.toLowerCase());
  }

  onAnswered(listener: () => void): void {
    const { raw: response } = this.#reply;
    const { socket } = this.#request.raw;
    if (response.destroyed || socket.destroyed) return listener();
    let isOver = false;
    const end = () => {
      // Both events can happen for one end of the connection: removing a listener while the event is being emitted does not stop it.
      if (isOver) return;
      isOver = true;
      response.off("close", end);
      socket.off("close", end);
      listener();
    };
    response.on("close", end);
    // A response that waits for an earlier one on the same connection gets no event when the connection ends.
    socket.on("close", end);
  }
}
