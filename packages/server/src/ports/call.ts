/**
 * Between the HTTP side and the use cases: what a handler is given, what it answers, how it refuses. Handlers know nothing of the
 * HTTP library; the HTTP side knows nothing of what they do.
 */
import type { Readable } from "node:stream";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import type { ErrorKey, ErrorParams, LogoutReason } from "@parley/protocol/envelope";
import type { REFRESH_HEADER, RequestHeader } from "@parley/protocol/headers";
import type { Language } from "./language.ts";

/** Who acts: a live session, and the client instance (page load, app start) that speaks for it. */
export interface Actor extends Session {
  clientId: string | null;
}

export interface Session {
  userId: number;
  sessionId: string;
  terminal: number;
  deviceNo: string | null;
}

/** Which tokens are good, and when their sessions were last alive. */
export interface Sessions {
  /** Tells who a token belongs to: at once for one it has seen before; undefined for one that is bad, expired or revoked. */
  find(accessToken: string, now: number): Session | Promise<Session | undefined> | undefined;
  /** A sign of life that carries no token. */
  seen(sessionId: string, now: number): void;
  /** Their tokens are dead, and their sockets close with this reason. */
  end(userId: number, sessionIds: readonly string[], reason: LogoutReason, now: number): Promise<void>;
}

/** One file of a multipart body, not read yet. */
export interface Upload {
  data: Readable;
  /** Once `data` has ended: it was cut because it is longer than allowed. */
  isCut(): boolean;
}

export interface Call<Params = undefined, Query = undefined, Body = undefined, Who = Actor | null> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly actor: Who;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly ip: string;
  /** Whether it comes from a page that was opened by https, as far as the request tells. */
  readonly isHttpsPage: boolean;
  /** Of whoever asks: what the server writes for them is written in it. */
  readonly language: Language;
  /** Of an endpoint that takes a file; undefined when the body holds none. */
  readonly upload: Upload | undefined;
  /** A header of our clients, URI-decoded; null when absent, empty or not decodable. */
  header(name: RequestHeader | typeof REFRESH_HEADER): string | null;
}

type Who<E> = E extends { auth: "token" } ? Actor : E extends { auth: "optional" } ? Actor | null : null;
type CallOf<E> = Call<ParamsOf<E>, QueryOf<E>, BodyOf<E>, Who<E>>;

/** An answer that is JSON already, for those who need the text anyway. */
export class Encoded<T> {
  declare readonly answer?: T;
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

type Handler<E> = (
  call: CallOf<E>,
) => AnswerOf<E> | Encoded<AnswerOf<E>> | Promise<AnswerOf<E> | Encoded<AnswerOf<E>>>;

/** Every endpoint's handler. */
export type Handlers = { readonly [Name in EndpointName]: Handler<(typeof ENDPOINTS)[Name]> };

/** A handler says no: the key of the closed list decides code, status and words. */
export class ApiError extends Error {
  readonly key: ErrorKey;
  readonly params: ErrorParams | undefined;
  constructor(key: ErrorKey, params?: ErrorParams) {
    super(key);
    this.name = "ApiError";
    this.key = key;
    this.params = params;
  }
}

/** A field of the request that breaks the contract in a way its schema could not tell. */
export function malformedField(field: string, problem: string): ApiError {
  return new ApiError("request.malformed", { field, problem });
}

export type WindowLimit =
  | "wrongPasswordsOfName"
  | "wrongPasswordsOfAddress"
  | "registrations"
  | "anonymousUploads"
  | "uploads"
  | "friendRequests"
  | "searches";

/** How often somebody may do something. Refuses with `request.tooMany` and the seconds to wait. */
export interface RateLimiter {
  consume(limit: WindowLimit, key: string | number): Promise<void>;
  /** Undoes one `take`. */
  refund(limit: WindowLimit, key: string | number): Promise<void>;
  /** Asked by every message: answers at once. */
  consumeSend(userId: number, now: number): void;
}
