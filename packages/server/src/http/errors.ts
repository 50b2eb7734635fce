/** Everything that goes wrong, as an envelope with the right status. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ERRORS, type Envelope, type ErrorKey } from "@parley/protocol/envelope";
import { Refusal, malformed } from "../ports/call.ts";
import { StoreLater } from "../ports/later.ts";
import { type Language, languageOf } from "../ports/language.ts";
import { sentenceOf } from "./words.ts";

function envelopeOf({ key, params }: Refusal, language: Language): Envelope<null> {
  const envelope: Envelope<null> = {
    code: ERRORS[key].code,
    message: sentenceOf(key, params, language),
    data: null,
    key,
  };
  if (params !== undefined) envelope.params = params;
  return envelope;
}

/** Refusals that somebody meets who tries what is not theirs: the log tells of them, so that a row of them is seen. */
const SUSPICIOUS: ReadonlySet<string> = new Set([
  "auth.tokenInvalid",
  "auth.refreshExpired",
  "login.wrongPassword",
  "password.oldWrong",
  "account.banned",
  "account.unregistered",
  "user.notYours",
  "friend.requestNotYours",
  "group.noRight",
  "group.requestUnknown",
  "message.notYours",
  "request.forbidden",
  "request.tooMany",
] satisfies ErrorKey[]);

/**
 * Answers any error; what nobody foresaw is logged and becomes a 500 with the request's id. `statusInstead`: in place of the one that
 * belongs to the error.
 */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  statusInstead?: number,
): void {
  const { refusal, status: usual } = understand(error, request);
  if (SUSPICIOUS.has(refusal.key)) {
    const { id, ip, routeOptions } = request;
    request.log.info({ reqId: id, address: ip, route: routeOptions.url, refused: refusal.key }, "refused");
  }
  const status = statusInstead ?? usual;
  const seconds = refusal.key === "request.tooMany" ? refusal.params?.["seconds"] : undefined;
  if (seconds !== undefined) void reply.header("retry-after", seconds);
  if (status >= 400) void reply.header("x-request-id", request.id);
  // The rest of a body nobody reads would be taken for the next request.
  if (status === 413) void reply.header("connection", "close");
  const language = languageOf(request.headers["accept-language"]);
  void reply
    .code(status)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(envelopeOf(refusal, language)));
}

function understand(error: unknown, request: FastifyRequest): { refusal: Refusal; status: number } {
  if (error instanceof Refusal) return { refusal: error, status: ERRORS[error.key].http };
  if (error instanceof StoreLater) {
    request.log.warn(
      { reqId: request.id, route: request.routeOptions.url, reason: error.message },
      "not stored",
    );
    const refusal = new Refusal(error.reason === "full" ? "server.storageFull" : "server.unavailable");
    return { refusal, status: ERRORS[refusal.key].http };
  }
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode === 413) return { refusal: new Refusal("request.tooLarge"), status: 413 };
  if (statusCode === 415 || code === "FST_INVALID_MULTIPART_CONTENT_TYPE") {
    return { refusal: malformed("content-type", "not supported here"), status: 415 };
  }
  if (statusCode === 404) return { refusal: new Refusal("request.notFound"), status: 404 };
  if (statusCode === 503) return { refusal: new Refusal("server.unavailable"), status: 503 };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { refusal: malformed("request", code ?? "not understood"), status: 400 };
  }
  // The request itself counts as destroyed as soon as its body has been read.
  if (request.raw.socket.destroyed) request.log.debug({ err: error, reqId: request.id }, "request was cut");
  else
    request.log.error({ err: error, reqId: request.id, route: request.routeOptions.url }, "request failed");
  return { refusal: new Refusal("server.error", { requestId: request.id }), status: 500 };
}

/** Bytes that are no HTTP request. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  if (socket.bytesWritten > 0) {
    // They may be the rest of a request that has its answer: a second one would be taken for that of the next request.
    socket.destroySoon();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify(envelopeOf(malformed("request", STATUS_CODES[status] ?? "not HTTP"), "zh-CN"));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
