/**
 * The interface between HTTP and the use cases: what a handler gets and returns. Handlers know nothing of the HTTP library,
 * and the HTTP side knows nothing of what they do.
 */
import type { Readable } from "node:stream";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { REFRESH_HEADER, RequestHeader } from "@parley/protocol/headers";
import type { Language } from "./language.ts";

/** The caller: a live session, and the client instance (page load, app start) that uses it. */
export interface Actor extends Session {
  clientId: string | null;
}

/** A login that has not ended. */
export interface Session {
  userId: number;
  sessionId: string;
  terminal: number;
  deviceNo: string | null;
}

/** Which access tokens are valid, and when and from where their sessions were last active. */
export interface Sessions {
  /** Finds the session of a token. Synchronous if the token is cached; undefined if it is invalid, expired or revoked. */
  find(accessToken: string, now: number): Session | Promise<Session | undefined> | undefined;
  /** Notes a sign of life that carries no token. */
  noteActivity(sessionId: string, now: number): void;
  /** Notes from which network address the session is used now. */
  noteAddress(sessionId: string, address: string, now: number): void;
  /** Those of these sessions that have ended or may no longer be used, with the reason, whatever this node has heard of them. */
  findEnded(sessionIds: readonly string[]): Promise<ReadonlyMap<string, LogoutReason>>;
  /** Ends sessions: their tokens become invalid, and their sockets close with this reason. */
  end(userId: number, sessionIds: readonly string[], reason: LogoutReason, now: number): Promise<void>;
}

/** Tokens in the links of exports. Each is another, also for the same session. */
export interface ExportTokens {
  issueExport(session: Session, now: number): Promise<string>;
  /** Undefined if the token is malformed, expired, of another kind or signed with another secret. */
  readExport(token: string, now: number): Session | undefined;
}

/** One file of a multipart body, not read yet. */
export interface UploadedFile {
  /** A field of the endpoint. */
  field: string;
  data: Readable;
  /** Whether the file was cut off because it is larger than allowed. Known when `data` has ended. */
  isCut(): boolean;
}

/** The files of a multipart body. */
export interface Upload {
  /** Bytes of the whole body; null if the request does not tell. */
  readonly declaredBytes: number | null;
  /** Aborts when nobody waits for the answer. Its reason is an error of the API. */
  readonly signal: AbortSignal;
  /** The files in the order of the body. Asking for the next one skips what is unread of the one before. */
  files(): AsyncIterable<UploadedFile>;
}

/** One call of an endpoint, as its handler gets it. */
export interface ApiCall<Params = undefined, Query = undefined, Body = undefined, Caller = Actor | null> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly actor: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly ip: string;
  /** Whether the call comes from a page that was opened by https, as far as the request shows. */
  readonly isHttpsPage: boolean;
  /** The caller's language, for the texts that the server writes. */
  readonly language: Language;
  /** The files, for an endpoint that takes some; undefined for the others. */
  readonly upload: Upload | undefined;
  /** A header of our clients, URI-decoded; null if it is missing, empty or not decodable. */
  header(name: RequestHeader | typeof REFRESH_HEADER): string | null;
  /** Calls the listener when the whole answer has left the server, or can no longer leave it. */
  onAnswered(listener: () => void): void;
}

type CallerOf<E> = E extends { auth: "token" | "admin" }
  ? Actor
  : E extends { auth: "optional" }
    ? Actor | null
    : null;
type CallOf<E> = ApiCall<ParamsOf<E>, QueryOf<E>, BodyOf<E>, CallerOf<E>>;

/** An answer that is JSON text already, for handlers that need the text anyway. */
export class Encoded<T> {
  declare readonly answer?: T;
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/**
 * A list as an answer that is made and sent piece by piece, as fast as the client reads, so that a long one is never in memory as a whole.
 * A failure of the first piece is answered like any other; a later one cuts the answer off.
 */
export class ListInPieces<List> {
  declare readonly answer?: List;
  readonly pieces: AsyncIterable<readonly unknown[]>;
  constructor(pieces: AsyncIterable<readonly unknown[]>) {
    this.pieces = pieces;
  }
}

type Answer<Data> = Data | Encoded<Data> | ListInPieces<Data>;
type Handler<E> = (call: CallOf<E>) => Answer<AnswerOf<E>> | Promise<Answer<AnswerOf<E>>>;

/** The handlers of all endpoints. */
export type Handlers = { readonly [Name in EndpointName]: Handler<(typeof ENDPOINTS)[Name]> };
