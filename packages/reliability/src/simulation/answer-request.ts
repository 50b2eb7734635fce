/** Answers the client's HTTP requests in the process: finds the endpoint and calls the handler of the node, as `http/bind-endpoints.ts` does. */
import type * as z from "zod/mini";
import type { HttpResponse, HttpRequest } from "@parley/core/ports";
import { Code } from "@parley/protocol/codes";
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { ERRORS } from "@parley/protocol/errors";
import { authenticate, headerOf } from "@parley/server/http/authenticate";
import { ApiError, malformedField } from "@parley/server/api/api-error";
import {
  type Actor,
  type ApiCall,
  Encoded,
  type Handlers,
  ListInPieces,
  type Sessions,
} from "@parley/server/api/api-call";
import { languageOf } from "@parley/server/api/language";
import { uploadOf } from "./simulated-files.ts";

type AnyHandler = (call: ApiCall<unknown, unknown, unknown>) => unknown;

interface Route {
  name: EndpointName;
  endpoint: Endpoint;
  pattern: RegExp;
  names: readonly string[];
}

const ROUTES: readonly Route[] = Object.entries<Endpoint>(ENDPOINTS).map(([name, endpoint]) => ({
  name: name as EndpointName,
  endpoint,
  pattern: new RegExp(`^/api${endpoint.path.replace(/:\w+/g, "([^/]+)")}$`),
  names: [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ""),
}));

/** Paths with fewer parameters come first, as in the real router. */
const ORDERED = [...ROUTES].sort((a, b) => a.names.length - b.names.length);

/** What a node needs to answer. */
export interface RequestContext {
  handlers: Partial<Handlers>;
  sessions: Sessions;
  now(): number;
  onError(error: unknown): void;
}

/** An answer, with its endpoint and caller. */
export interface AnsweredRequest {
  name: EndpointName | null;
  actor: Actor | null;
  answer: HttpResponse;
}

/** Answers one request. Never throws. */
export async function answerRequest(request: HttpRequest, node: RequestContext): Promise<AnsweredRequest> {
  const url = new URL(request.url);
  const routeMatch = findRoute(request.method, url.pathname);
  let actor: Actor | null = null;
  try {
    if (routeMatch === undefined) throw new ApiError("request.notFound");
    const { route, params } = routeMatch;
    const handler = node.handlers[route.name] as unknown as AnyHandler | undefined;
    if (handler === undefined) throw new ApiError("request.notFound");
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const now = node.now();
    const { endpoint } = route;
    if (endpoint.auth !== "open")
      actor = await authenticate(node.sessions, headers, endpoint.auth === "optional", now);
    const body = typeof request.body === "string" ? (JSON.parse(request.body) as unknown) : undefined;
    const answer = await handler({
      params: endpoint.params && check(endpoint.params, params, "params"),
      query: endpoint.query && check(endpoint.query, Object.fromEntries(url.searchParams), "query"),
      body: endpoint.body && check(endpoint.body, body, "body"),
      actor,
      now,
      ip: "127.0.0.1",
      isHttpsPage: false,
      language: languageOf(headers["accept-language"]),
      upload: uploadOf(request.body, () => request.lifetime?.isOver() ?? false),
      header: (name) => headerOf(headers, name.toLowerCase()),
      onAnswered: queueMicrotask,
    });
    const data = await jsonOf(answer);
    return {
      name: route.name,
      actor,
      answer: textAnswer(200, `{"code":${Code.OK},"message":"","data":${data}}`),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) node.onError(error);
    const { key, params } =
      error instanceof ApiError ? error : new ApiError("server.error", { requestId: "sim" });
    const text = JSON.stringify({ code: ERRORS[key].code, message: key, data: null, key, params });
    return { name: routeMatch?.route.name ?? null, actor, answer: textAnswer(ERRORS[key].http, text) };
  }
}

async function jsonOf(answer: unknown): Promise<string> {
  if (answer instanceof Encoded) return answer.json;
  if (!(answer instanceof ListInPieces)) return JSON.stringify(answer ?? null);
  const rows: unknown[] = [];
  for await (const piece of answer.pieces) rows.push(...piece);
  return JSON.stringify(rows);
}

function findRoute(
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  for (const route of ORDERED) {
    if (route.endpoint.method !== method) continue;
    const match = route.pattern.exec(path);
    if (match === null) continue;
    const values = match.slice(1).map(decodeURIComponent);
    return { route, params: Object.fromEntries(route.names.map((name, i) => [name, values[i] ?? ""])) };
  }
  return undefined;
}

function check(schema: z.ZodMiniType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedField(part, parsed.error.issues[0]?.message ?? "is wrong");
}

function textAnswer(status: number, text: string): HttpResponse {
  return { kind: "answer", status, text, retryAfterSeconds: null };
}
