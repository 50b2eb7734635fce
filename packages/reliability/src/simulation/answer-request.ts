/** Answers the client's HTTP requests in the process: calls the handler of the node, as `http/bind-endpoints.ts` does. */
import type * as z from "zod/mini";
import type { HttpResponse, HttpRequest } from "@parley/core/ports";
import { findEndpoint } from "@parley/core/testing/find-endpoint";
import { Code } from "@parley/protocol/codes";
import type { EndpointName } from "@parley/protocol/endpoints/all";
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
  const called = findEndpoint(request);
  let actor: Actor | null = null;
  try {
    if (called === undefined) throw new ApiError("request.notFound");
    const { name, endpoint, params, query } = called;
    const handler = node.handlers[name] as unknown as AnyHandler | undefined;
    if (handler === undefined) throw new ApiError("request.notFound");
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const now = node.now();
    if (endpoint.auth !== "open")
      actor = await authenticate(node.sessions, headers, endpoint.auth === "optional", now);
    const body = typeof request.body === "string" ? (JSON.parse(request.body) as unknown) : undefined;
    const answer = await handler({
      params: endpoint.params && check(endpoint.params, params, "params"),
      query: endpoint.query && check(endpoint.query, query, "query"),
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
      name,
      actor,
      answer: textAnswer(200, `{"code":${Code.OK},"message":"","data":${data}}`),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) node.onError(error);
    const { key, params } =
      error instanceof ApiError ? error : new ApiError("server.error", { requestId: "sim" });
    const text = JSON.stringify({ code: ERRORS[key].code, message: key, data: null, key, params });
    return { name: called?.name ?? null, actor, answer: textAnswer(ERRORS[key].http, text) };
  }
}

async function jsonOf(answer: unknown): Promise<string> {
  if (answer instanceof Encoded) return answer.json;
  if (!(answer instanceof ListInPieces)) return JSON.stringify(answer ?? null);
  const rows: unknown[] = [];
  for await (const piece of answer.pieces) rows.push(...piece);
  return JSON.stringify(rows);
}

function check(schema: z.ZodMiniType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedField(part, parsed.error.issues[0]?.message ?? "is wrong");
}

function textAnswer(status: number, text: string): HttpResponse {
  return { kind: "answer", status, text, retryAfterSeconds: null };
}
