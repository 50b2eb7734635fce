import { Code, Terminal } from "@parley/protocol/codes";
import { type AnswerOf, type CallInput, type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { type Envelope, isEnvelope, domainErrorKeyOf } from "@parley/protocol/envelope";
import { REFRESH_HEADER, type RequestHeader } from "@parley/protocol/headers";
import { REQUEST_TIMEOUT_MS } from "@parley/protocol/limits";
import type { Failure, Result } from "../model/state.ts";
import type { FileData, HttpResponse, Ports } from "../ports.ts";

export interface CallOptions {
  /** The caller shows the failure itself, or it is nobody's business: no toast. */
  silent?: boolean;
  /** A failure that is none to this caller, so that nobody is told. */
  isExpectedError?: (failure: Failure) => boolean;
  /** A file for the multipart field `file`. */
  file?: { file: FileData; name: string };
  onProgress?: (sentBytes: number, totalBytes: number) => void;
  /** Speaks with this refresh token instead of an access token. */
  refreshToken?: string;
  /** Speaks with this access token, in the name of nobody who is here: whatever comes of it changes nothing. */
  accessToken?: string;
}

export interface Api {
  call<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    options?: CallOptions,
  ): Promise<Result<AnswerOf<E>>>;
}

/** What the API needs to know of the session. */
export interface Credentials {
  /** Another number: whoever was here has left, or somebody has come. */
  sessionNumber(): number;
  accessToken(): string | null;
  /** One refresh for all who wait. `ended`: the server refused it; `failed`: no answer for now. */
  refresh(): Promise<"ok" | "ended" | "failed">;
  /** The server no longer takes the session of this token: on to the login screen. */
  onTokenRejected(token: string | null): void;
}

export interface ApiOptions {
  base(): string;
  deviceNo: string;
  clientId: string;
  credentials: Credentials;
  /** Failures that are not quiet. */
  onFailure(failure: Failure): void;
}

/** HTTP as spec §7 and §8 have it: headers, envelope, one refresh, and nothing but an envelope is ever an answer. */
export function createApi(ports: Ports, options: ApiOptions): Api {
  const { credentials } = options;

  function headersOf(endpoint: Endpoint, token: string | null, call: CallOptions, hasBody: boolean) {
    const { environment } = ports;
    const named: Record<Exclude<RequestHeader, "accessToken">, string> = {
      appVersion: environment.appVersion,
      deviceVersion: environment.deviceVersion,
      deviceNo: options.deviceNo,
      device: environment.os,
      os: environment.os,
      browser: environment.browser,
      terminal: String(Terminal.WEB),
      clientId: options.clientId,
    };
    const headers: Record<string, string> = { "Accept-Language": environment.language() };
    for (const [name, value] of Object.entries(named)) headers[name] = encodeURIComponent(value);
    if (token !== null && endpoint.auth !== "open") headers["accessToken"] = encodeURIComponent(token);
    if (call.refreshToken !== undefined) headers[REFRESH_HEADER] = encodeURIComponent(call.refreshToken);
    if (hasBody) headers["Content-Type"] = "application/json";
    return headers;
  }

  async function send(endpoint: Endpoint, input: Input, token: string | null, call: CallOptions) {
    const { params, query, body } = input;
    const hasBody = body !== undefined;
    const answer = await ports.http.request({
      method: endpoint.method,
      url: options.base() + pathOf(endpoint, { params, query }),
      headers: headersOf(endpoint, token, call, hasBody),
      timeoutMs: REQUEST_TIMEOUT_MS,
      ...(hasBody && { body: JSON.stringify(body) }),
      ...(call.file !== undefined && { body: call.file }),
      ...(call.onProgress !== undefined && { onProgress: call.onProgress }),
    });
    return readResponse(answer);
  }

  /** The answer after at most one refresh. */
  async function sendWithRefresh(
    endpoint: Endpoint,
    input: Input,
    call: CallOptions,
  ): Promise<Result<unknown>> {
    const token = call.accessToken ?? credentials.accessToken();
    const sessionNumber = credentials.sessionNumber();
    const first = await send(endpoint, input, token, call);
    if (first.kind !== "tokenInvalid" || call.accessToken !== undefined) return toResult(first, token);
    // What one person asked is never asked again in the name of the next.
    if (sessionNumber !== credentials.sessionNumber()) return fail({ kind: "loggedOut" });
    // Another call may have refreshed while this one was under way.
    const current = credentials.accessToken();
    if (current === null || current === token) {
      const outcome = await credentials.refresh();
      if (sessionNumber !== credentials.sessionNumber()) return fail({ kind: "loggedOut" });
      if (outcome === "failed") return fail({ kind: "network", reason: "offline" });
      if (outcome === "ended") return rejectToken(token);
    }
    const refreshedToken = credentials.accessToken();
    return toResult(await send(endpoint, input, refreshedToken, call), refreshedToken);
  }

  function toResult(callOutcome: CallOutcome, token: string | null): Result<unknown> {
    switch (callOutcome.kind) {
      case "data":
        return { ok: true, value: callOutcome.data };
      case "failure":
        return fail(callOutcome.failure);
      case "tokenInvalid":
      case "notLoggedIn":
        return rejectToken(token);
      default:
        return callOutcome satisfies never;
    }
  }

  function rejectToken(token: string | null): Result<never> {
    credentials.onTokenRejected(token);
    return fail({ kind: "loggedOut" });
  }

  return {
    async call<E extends Endpoint>(endpoint: E, input: CallInput<E>, call: CallOptions = {}) {
      const raw = await sendWithRefresh(endpoint, input as Input, call);
      const result = raw.ok ? parseData(endpoint, raw.value) : raw;
      if (!result.ok && shouldReport(result.failure, call)) options.onFailure(result.failure);
      return result;
    },
  };

  function shouldReport(failure: Failure, call: CallOptions): boolean {
    return call.silent !== true && failure.kind !== "loggedOut" && call.isExpectedError?.(failure) !== true;
  }

  function parseData<E extends Endpoint>(endpoint: E, data: unknown): Result<AnswerOf<E>> {
    const parsed = endpoint.answer.safeParse(data ?? null);
    if (parsed.success) return { ok: true, value: parsed.data as AnswerOf<E> };
    ports.log.warn("an answer has another shape than the contract", { path: endpoint.path });
    return fail({ kind: "network", reason: "unreadable" });
  }
}

/** A call's input when its endpoint is any. */
interface Input {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

type CallOutcome =
  | { kind: "data"; data: unknown }
  | { kind: "failure"; failure: Failure }
  | { kind: "tokenInvalid" }
  | { kind: "notLoggedIn" };

const HTTP_OK = 200;
const HTTP_BAD_REQUEST = 400;
const HTTP_UNAUTHORIZED = 401;
/** Characters of a body that is shown. */
const MESSAGE_MAX = 200;

function readResponse(answer: HttpResponse): CallOutcome {
  if (answer.kind === "failed")
    return { kind: "failure", failure: { kind: "network", reason: answer.reason } };
  const envelope = parseEnvelope(answer.text);
  // A proxy's page or a cut answer is no answer of ours, whatever its status says: never data, never a logout.
  if (envelope === null) return { kind: "failure", failure: nonEnvelopeFailure(answer) };
  const { status } = answer;
  if (status === HTTP_UNAUTHORIZED) return { kind: "notLoggedIn" };
  const key = domainErrorKeyOf(envelope);
  // A refusal may come with an HTTP status as well: an upload that is too large.
  if (status !== HTTP_OK && key === null) {
    return { kind: "failure", failure: { kind: "http", status, message: envelope.message } };
  }
  switch (envelope.code) {
    case Code.OK:
      return { kind: "data", data: envelope.data };
    case Code.NOT_LOGGED_IN:
      return { kind: "notLoggedIn" };
    case Code.TOKEN_INVALID:
      return { kind: "tokenInvalid" };
    default: {
      const { code, params, message } = envelope;
      return {
        kind: "failure",
        failure: { kind: "refused", code, key, params: params ?? {}, message },
      };
    }
  }
}

function nonEnvelopeFailure({ status, text }: Extract<HttpResponse, { kind: "answer" }>): Failure {
  if (status === HTTP_OK) return { kind: "network", reason: "unreadable" };
  // People read a sentence, not a page.
  const isReadable = status === HTTP_BAD_REQUEST && text.length <= MESSAGE_MAX && !text.includes("<");
  return { kind: "network", reason: "foreign", status, message: isReadable ? text.trim() : "" };
}

function parseEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}

const HTTP_SERVER_ERROR = 500;

/** Whether it was done all the same nobody knows. */
export function isUnanswered(failure: Failure): boolean {
  return failure.kind === "network" || (failure.kind === "http" && failure.status >= HTTP_SERVER_ERROR);
}

export function fail(failure: Failure): Result<never> {
  return { ok: false, failure };
}
