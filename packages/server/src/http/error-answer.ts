/** Turns errors into envelopes with the right HTTP status. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Envelope } from "@parley/protocol/envelope";
import { ERRORS, type ErrorKey } from "@parley/protocol/errors";
import { ApiError, malformedField } from "../api/api-error.ts";
import { type Language, languageOf } from "../api/language.ts";
import { LogPause } from "../api/log-pause.ts";
import { networkOf } from "../api/network-of.ts";
import type { Metrics } from "../ports/metrics.ts";
import { StoreUnavailableError } from "../ports/store-unavailable-error.ts";
import { errorMessageOf } from "./error-messages.ts";
import { isReceiving } from "./multipart-body.ts";
import { answerAndDrop, isBodyUnread } from "./unread-body.ts";

function envelopeOf({ key, params }: ApiError, language: Language): Envelope<null> {
  const envelope: Envelope<null> = {
    code: ERRORS[key].code,
    message: errorMessageOf(key, params, language),
    data: null,
    key,
  };
  if (params !== undefined) envelope.params = params;
  return envelope;
}

/** Errors of people who try what they are not allowed to do. They are logged, so that repeated attempts are visible. */
const LOGGED_ERRORS: ReadonlySet<string> = new Set([
  "admin.linkInvalid",
  "admin.required",
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
 * Answers any error. An unexpected one is logged and becomes a 500 with the request's id. `statusOverride` replaces the status of the
 * error.
 */
export type SendError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  statusOverride?: number,
) => void;

/** Returns what answers errors and counts them. */
export function createSendError(
  { errorAnswered }: Pick<Metrics, "errorAnswered">,
  now: () => number,
): SendError {
  const logPause = new LogPause();
  return (error, request, reply, statusOverride) => {
    const { apiError, status } = toApiError(error, request);
    errorAnswered(apiError.key);
    if (LOGGED_ERRORS.has(apiError.key)) logRefusal(apiError, request, logPause, now());
    sendError(apiError, statusOverride ?? status, request, reply);
  };
}

function logRefusal({ key }: ApiError, request: FastifyRequest, logPause: LogPause, now: number): void {
  const { id, ip, routeOptions } = request;
  const data = { reqId: id, address: ip, route: routeOptions.url, refused: key };
  // A client that calls too often is refused thousands of times.
  const leftOut = key === "request.tooMany" ? logPause.pass(`${networkOf(ip)} ${routeOptions.url}`, now) : 0;
  if (leftOut !== undefined) request.log.info(leftOut > 0 ? { ...data, leftOut } : data, "refused");
}

function sendError(apiError: ApiError, status: number, request: FastifyRequest, reply: FastifyReply): void {
  const seconds = apiError.key === "request.tooMany" ? apiError.params?.["seconds"] : undefined;
  if (seconds !== undefined) void reply.header("retry-after", seconds);
  const text = JSON.stringify(envelopeOf(apiError, languageOf(request.headers["accept-language"])));
  void reply
    .code(status)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .type("application/json; charset=utf-8");
  if (!isBodyUnread(request.raw)) void reply.send(text);
  else {
    void reply
      .header("connection", "close")
      .header("content-length", Buffer.byteLength(text))
      .send(answerAndDrop(request.raw, text));
  }
}

function toApiError(error: unknown, request: FastifyRequest): { apiError: ApiError; status: number } {
  if (error instanceof ApiError) return { apiError: error, status: ERRORS[error.key].http };
  if (error instanceof StoreUnavailableError) {
    request.log.warn(
      { reqId: request.id, route: request.routeOptions.url, reason: error.message },
      "not stored",
    );
    const apiError = new ApiError(error.reason === "full" ? "server.storageFull" : "server.unavailable");
    return { apiError, status: ERRORS[apiError.key].http };
  }
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode === 413) return { apiError: new ApiError("request.tooLarge"), status: 413 };
  if (statusCode === 415) {
    return { apiError: malformedField("content-type", "not supported here"), status: 415 };
  }
  if (statusCode === 414) return { apiError: malformedField("request", "URI Too Long"), status: 414 };
  if (statusCode === 404) return { apiError: new ApiError("request.notFound"), status: 404 };
  if (statusCode === 503) return { apiError: new ApiError("server.unavailable"), status: 503 };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { apiError: malformedField("request", code ?? "not understood"), status: 400 };
  }
  // Checks the socket, because the request counts as destroyed as soon as its body has been read.
  if (request.raw.socket.destroyed) request.log.debug({ err: error, reqId: request.id }, "request was cut");
  else
    request.log.error({ err: error, reqId: request.id, route: request.routeOptions.url }, "request failed");
  return { apiError: new ApiError("server.error", { requestId: request.id }), status: 500 };
}

/** The language that the bytes of a broken request name, as far as they have arrived. */
function languageOfBytes(bytes: Buffer | undefined): Language {
  const [, header] = /\naccept-language:([^\r\n]*)/i.exec(bytes?.toString("latin1") ?? "") ?? [];
  return languageOf(header);
}

/** Answers bytes that are not an HTTP request, with these headers, and closes the connection. */
export function answerBrokenRequest(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // An upload may take as long as it makes progress.
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isReceiving(socket)) return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  if (socket.bytesWritten > 0) {
    // The bytes may belong to a request that was already answered: a second answer would look like that of the next request.
    socket.destroySoon();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify(
    envelopeOf(
      malformedField("request", STATUS_CODES[status] ?? "not HTTP"),
      languageOfBytes(Buffer.isBuffer(error.rawPacket) ? error.rawPacket : undefined),
    ),
  );
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\n${lines.join("")}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
