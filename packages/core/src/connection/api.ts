import { Code, Terminal } from "@parley/protocol/codes";
import { type AnswerOf, type CallInput, type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { type DomainErrorKey, type Envelope, isEnvelope, domainErrorKeyOf } from "@parley/protocol/envelope";
import { REFRESH_HEADER, type RequestHeader } from "@parley/protocol/headers";
import { REQUEST_TIMEOUT_MS } from "@parley/protocol/limits";
import type { Failure, Result } from "../model/state.ts";
import type { FilePart, HttpResponse, Lifetime, Ports } from "../ports.ts";
import type { Scope } from "../session-scope.ts";
import { clockAhead } from "./clock-ahead.ts";

/** How one call differs from the ordinary. */
export interface CallOptions {
  /** No toast: the caller shows the failure itself, or it is not worth showing. */
  silent?: boolean;
  /** The caller shows the failure where it belongs: only what the server refuses raises a toast as well (spec §8). */
  isShownInPlace?: boolean;
  /** True for a failure that the caller expects, so that it is not reported. */
  isExpectedError?: (failure: Failure) => boolean;
  /** The files of an upload. */
  files?: readonly FilePart[];
  onProgress?: (sentBytes: number, totalBytes: number) => void;
  /** Called with how many ms this device's clock is ahead of the server's, if the server's answer says so. */
  onClockAhead?: (ms: number) => void;
  /** How long an answer may take. Default: `REQUEST_TIMEOUT_MS`. */
  timeoutMs?: number;
  /** The call is sent even if the page is closed at once. */
  outlivesPage?: boolean;
  /** When it ends, the request is aborted: the call fails, and is not repeated with a new token. */
  lifetime?: Lifetime;
  /** Sends this refresh token instead of an access token. */
  refreshToken?: string;
  /** Sends this access token instead of the current user's. The result does not affect the current session. */
  accessToken?: string;
}

/** Calls endpoints of the server; never throws. */
export interface Api {
  call<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    options?: CallOptions,
  ): Promise<Result<AnswerOf<E>>>;
}

/** What the API needs to know about the session. */
export interface Credentials {
  /** The session that calls belong to, or the time between two sessions. */
  scope(): Scope;
  accessToken(): string | null;
  /** One refresh for all calls that wait. `ended`: the server refused it; `failed`: no answer for now. */
  refresh(): Promise<"ok" | "ended" | "failed">;
  /** The server no longer accepts the session of this token: the user has to log in again. */
  onTokenRejected(token: string | null): void;
}

/** Which server the API calls, as which client, and where failures go. */
export interface ApiOptions {
  base(): string;
  deviceNo: string;
  clientId: string;
  credentials: Credentials;
  /** Called for every failure that is to be reported to the person, while the session of the call lasts. */
  onFailure(failure: Failure): void;
}

/** Calls over HTTP (spec §7, §8): headers, envelope, one token refresh. Anything but an envelope counts as a network failure. */
export function createApi(ports: Ports, options: ApiOptions): Api {
  const { credentials } = options;

  async function send(endpoint: Endpoint, input: Input, token: string | null, call: CallOptions) {
    const { params, query, body } = input;
    const hasBody = body !== undefined;
    const headers = headersOfClient(ports.environment, options);
    if (token !== null && endpoint.auth !== "open") headers["accessToken"] = encodeURIComponent(token);
    if (call.refreshToken !== undefined) headers[REFRESH_HEADER] = encodeURIComponent(call.refreshToken);
    if (hasBody) headers["Content-Type"] = "application/json";
    const startedAt = ports.clock.now();
    const answer = await ports.http.request({
      method: endpoint.method,
      url: options.base() + pathOf(endpoint, { params, query }),
      headers,
      timeoutMs: call.timeoutMs ?? REQUEST_TIMEOUT_MS,
      ...(hasBody && { body: JSON.stringify(body) }),
      ...(call.files !== undefined && { body: call.files }),
      ...(call.lifetime !== undefined && { lifetime: call.lifetime }),
      ...(call.outlivesPage === true && { outlivesPage: true }),
      ...(call.onProgress !== undefined && { onProgress: call.onProgress }),
      ...(call.onClockAhead !== undefined && { wantsServerTime: true }),
    });
    const outcome = readResponse(answer);
    // The time of a page that is not our server's answer says nothing about the server's clock.
    const isOurs = outcome.kind !== "failure" || outcome.failure.kind !== "network";
    if (isOurs && answer.kind === "answer" && answer.serverTime != null)
      call.onClockAhead?.(clockAhead(startedAt, ports.clock.now(), answer.serverTime));
    return outcome;
  }

  /** Sends the call; when the token has expired, refreshes it and sends the call again, once. */
  async function sendWithRefresh(
    endpoint: Endpoint,
    input: Input,
    call: CallOptions,
  ): Promise<Result<unknown>> {
    const token = call.accessToken ?? credentials.accessToken();
    const { isOver } = credentials.scope();
    const first = await send(endpoint, input, token, call);
    if (first.kind !== "tokenInvalid" || call.accessToken !== undefined) return toResult(first, token);
    if (call.lifetime?.isOver() === true) return fail({ kind: "network", reason: "offline" });
    // A call of one user is never repeated in the name of the next.
    if (isOver()) return fail({ kind: "loggedOut" });
    // Another call may have refreshed while this one was in flight.
    const current = credentials.accessToken();
    if (current === null || current === token) {
      const outcome = await credentials.refresh();
      if (isOver()) return fail({ kind: "loggedOut" });
      if (outcome === "failed") return fail({ kind: "network", reason: "offline" });
      if (outcome === "ended") return rejectToken(token);
    }
    if (call.lifetime?.isOver() === true) return fail({ kind: "network", reason: "offline" });
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
      const { isOver } = credentials.scope();
      const raw = await sendWithRefresh(endpoint, input as Input, call).catch((error: unknown) => {
        // A caller that waits for a result must get one, or its screen stays busy.
        ports.log.warn("a call could not be made", { path: endpoint.path, reason: String(error) });
        return fail({ kind: "network", reason: "unreadable" });
      });
      const result = raw.ok ? parseData(endpoint, raw.value) : raw;
      // The next person must not read what failed for this one.
      if (!result.ok && !isOver() && shouldReport(result.failure, call)) options.onFailure(result.failure);
      return result;
    },
  };

  function shouldReport(failure: Failure, call: CallOptions): boolean {
    if (call.silent === true || failure.kind === "loggedOut") return false;
    if (call.isShownInPlace === true && failure.kind !== "refused") return false;
    return call.isExpectedError?.(failure) !== true;
  }

  function parseData<E extends Endpoint>(endpoint: E, data: unknown): Result<AnswerOf<E>> {
    const parsed = endpoint.answer.safeParse(data ?? null);
    if (parsed.success) return { ok: true, value: parsed.data as AnswerOf<E> };
    ports.log.warn("an answer does not match the contract", { path: endpoint.path });
    return fail({ kind: "network", reason: "unreadable" });
  }
}

/** What every request says about this client. */
function headersOfClient(
  environment: Ports["environment"],
  { deviceNo, clientId }: ApiOptions,
): Record<string, string> {
  const named: Record<Exclude<RequestHeader, "accessToken">, string> = {
    appVersion: environment.appVersion,
    deviceVersion: environment.deviceVersion,
    deviceNo,
    device: environment.os,
    os: environment.os,
    browser: environment.browser,
    terminal: String(Terminal.WEB),
    clientId,
  };
  const headers: Record<string, string> = { "Accept-Language": environment.language() };
  for (const [name, value] of Object.entries(named)) headers[name] = encodeURIComponent(value);
  return headers;
}

/** The input of a call whose endpoint is not known statically. */
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
/** The longest error body, in characters, that is shown to a person. */
const MESSAGE_MAX = 200;

function readResponse(answer: HttpResponse): CallOutcome {
  if (answer.kind === "failed")
    return { kind: "failure", failure: { kind: "network", reason: answer.reason } };
  const envelope = parseEnvelope(answer.text);
  // A proxy's page or a truncated answer is not an answer of our server, whatever its status: never data, never a logout.
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
  // Show a sentence to people, but not a whole page.
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

/** Whether the failure leaves open if the server has done what was asked. */
export function isUnanswered(failure: Failure): boolean {
  return failure.kind === "network" || (failure.kind === "http" && failure.status >= HTTP_SERVER_ERROR);
}

/** The result of a call that failed. */
export function fail(failure: Failure): Result<never> {
  return { ok: false, failure };
}

/** The result of a call without a value that has succeeded. */
export const DONE = { ok: true, value: null } as const;

/** For calls whose failure the caller shows itself, or that are not worth a message. */
export const SILENT: CallOptions = { silent: true };

/** A refusal that this client knows without asking the server. */
export function localFailure(key: DomainErrorKey): Failure {
  return { kind: "refused", code: 0, key, params: {}, message: "" };
}
