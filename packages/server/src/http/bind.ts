/** Endpoint definitions become routes: actor, validation, handler, envelope. */
import { fastifyMultipart } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import * as z from "zod/mini";
import { Code } from "@parley/protocol/codes";
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { REFRESH_HEADER, RequestHeader } from "@parley/protocol/headers";
import {
  type Actor,
  type Call,
  Encoded,
  type Handlers,
  type Refusal,
  type Sessions,
  type Upload,
  malformed,
} from "../ports/call.ts";
import { type Language, languageOf } from "../ports/language.ts";
import { hit } from "../ports/stops.ts";
import { findActor, headerOf } from "./auth.ts";
import { sendError } from "./errors.ts";

// Words for what is wrong with a field; without them the schemas say only that it is.
z.config(z.locales.en());

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
/** Multipart boundaries and part headers around a file. */
const UPLOAD_OVERHEAD_BYTES = 65_536;
const JSON_TYPE = "application/json; charset=utf-8";

export interface BindOptions {
  handlers: Handlers;
  sessions: Sessions;
  now(): number;
}

/** The untyped form in which every handler is run: its own endpoint's schemas have made its arguments. */
type AnyCall = Call<unknown, unknown, unknown>;
type AnyHandler = (call: AnyCall) => unknown;

export async function bindEndpoints(server: FastifyInstance, options: BindOptions): Promise<void> {
  bindSome(server, options, (endpoint) => endpoint.upload === undefined);
  // The multipart reader hooks into every request of its scope, and the path of a message should not pay for it.
  await server.register(async (uploads) => {
    await uploads.register(fastifyMultipart);
    bindSome(uploads, options, (endpoint) => endpoint.upload !== undefined);
  });
}

function bindSome(
  server: FastifyInstance,
  options: BindOptions,
  isMeant: (endpoint: Endpoint) => boolean,
): void {
  const methodsOf = new Map<string, Set<string>>();
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    if (!isMeant(endpoint)) continue;
    const url = `/api${endpoint.path}`;
    const handler = options.handlers[name as keyof Handlers] as unknown as AnyHandler;
    server.route({
      method: endpoint.method,
      url,
      // A HEAD beside each GET would run its handler, and some of them do something.
      exposeHeadRoute: false,
      handler: routeOf(endpoint, handler, options),
      ...(endpoint.upload && { bodyLimit: endpoint.upload.maxBytes + UPLOAD_OVERHEAD_BYTES }),
    });
    const methods = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, methods.add(endpoint.method));
  }
  for (const [url, allowed] of methodsOf) refuseOtherMethods(server, url, allowed);
}

function refuseOtherMethods(server: FastifyInstance, url: string, allowed: ReadonlySet<string>): void {
  const others = [...METHODS, "HEAD"].filter((method) => !allowed.has(method));
  server.route({
    method: others,
    url,
    // Known to be wrong before a body is looked at.
    onRequest: (request, reply, _done) => {
      void reply.header("allow", [...allowed].join(", ")).header("connection", "close");
      sendError(malformed("method", `must be ${[...allowed].join(" or ")}`), request, reply, 405);
    },
    handler: () => undefined,
  });
}

function routeOf(endpoint: Endpoint, handler: AnyHandler, options: BindOptions): RouteHandlerMethod {
  const isOptional = endpoint.auth !== "token";
  return async (request, reply) => {
    void hit("afterReceive");
    const now = options.now();
    let actor: Actor | null = null;
    if (endpoint.auth !== "open") {
      const found = findActor(options.sessions, request.headers, isOptional, now);
      actor = found instanceof Promise ? await found : found;
    }
    const call = new HttpCall(
      request,
      actor,
      now,
      endpoint.params && check(endpoint.params, request.params, "params"),
      endpoint.query && check(endpoint.query, queryOf(request), "query"),
      endpoint.body && check(endpoint.body, request.body, "body"),
    );
    void hit("afterAuthorise");
    if (endpoint.upload) return receiveFile(endpoint.upload.maxBytes, handler, call, request, reply);
    const answer = handler(call);
    return finish(reply, answer instanceof Promise ? await answer : answer);
  };
}

async function receiveFile(
  maxBytes: number,
  handler: AnyHandler,
  call: HttpCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const part = await firstFile(request, maxBytes);
  if (part === undefined || part.fieldname !== "file") {
    part?.file.resume();
    throw malformed("file", "is missing");
  }
  call.upload = { data: part.file, isCut: () => part.file.truncated };
  let broken: unknown;
  part.file.once("error", (error) => (broken = error));
  try {
    return finish(reply, await handler(call));
  } catch (error) {
    throw error === broken ? brokenMultipart() : error;
  } finally {
    // A handler that refused early leaves bytes in the pipe, and they would hold the connection.
    part.file.resume();
  }
}

function finish(reply: FastifyReply, answer: unknown): FastifyReply | Promise<never> {
  const held = hit("beforeAnswer");
  if (held !== undefined) return held;
  sendAnswer(reply, answer);
  void hit("afterAnswer");
  return reply;
}

async function firstFile(request: FastifyRequest, maxBytes: number) {
  try {
    return await request.file({
      throwFileSizeLimit: false,
      limits: { fileSize: maxBytes, files: 1, fields: 10, parts: 11, fieldSize: 1_024 },
    });
  } catch (error) {
    // The parser tells of a body it cannot read by an error without a status.
    throw error instanceof Error && "statusCode" in error ? error : brokenMultipart();
  }
}

function brokenMultipart(): Refusal {
  return malformed("body", "is not a whole multipart body");
}

/** The envelope of success. */
export function sendAnswer(reply: FastifyReply, answer: unknown): FastifyReply {
  const data = answer instanceof Encoded ? answer.json : JSON.stringify(answer);
  return reply
    .header("content-type", JSON_TYPE)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .send(`{"code":${Code.OK},"message":"成功","data":${data}}`);
}

/** The parser leaves alone what it cannot decode; bytes that are no text would be taken for their escapes. */
function queryOf({ url, query }: FastifyRequest): unknown {
  const start = url.indexOf("?");
  if (start < 0 || !url.includes("%", start)) return query;
  try {
    decodeURIComponent(url.slice(start));
  } catch {
    throw malformed("query", "is not percent-encoded UTF-8");
  }
  return query;
}

function check(schema: z.ZodMiniType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? part : issue.path.join(".");
  throw malformed(field, issue?.message ?? "is wrong");
}

class HttpCall implements AnyCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly actor: Actor | null;
  readonly now: number;
  upload: Upload | undefined;
  readonly #request: FastifyRequest;

  constructor(
    request: FastifyRequest,
    actor: Actor | null,
    now: number,
    params: unknown,
    query: unknown,
    body: unknown,
  ) {
    this.#request = request;
    this.actor = actor;
    this.now = now;
    this.params = params;
    this.query = query;
    this.body = body;
  }

  get ip(): string {
    return this.#request.ip;
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
}
