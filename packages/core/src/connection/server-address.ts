import { loadGlobalSetting } from "@parley/protocol/endpoints/account";
import { isEnvelope } from "@parley/protocol/envelope";
import { REQUEST_TIMEOUT_MS } from "@parley/protocol/limits";
import type { SocketAddress, Scheme } from "../model/connection/socket-state.ts";
import type { Result } from "../model/state.ts";
import { isRecord, LOCAL_KEYS, readJson, readValue, writeValue } from "../storage/key-value-storage.ts";
import type { HttpResponse, Ports } from "../ports.ts";
import { clockAhead } from "./clock-ahead.ts";

/** Why a custom server cannot be used. */
export type ProbeProblem = "notAnAddress" | "noAnswer" | "notParley" | "plainFromSecure";
/** Whether a custom server was accepted. */
export type ProbeResult = Result<null> | { ok: false; problem: ProbeProblem };

/** Whether the server is there, how many ms its answer took, and by how many ms this device's clock is ahead of its own (null: unknown). */
export type ServerCheck =
  | { readonly kind: "ok"; readonly answerMs: number; readonly clockMs: number | null }
  /** Nothing answers; or something else than a Parley server does. */
  | { readonly kind: "noAnswer" | "notParley" };

/** The server in use: the page's own, or one that the person typed. */
export interface ServerAddress {
  /** Whether there is a server to ask: not before one is typed in the desktop application. */
  isKnown(): boolean;
  /** Base of HTTP calls. */
  base(): string;
  /** The origin that the person typed; empty for none. In the desktop application there is no server without one. */
  customOrigin(): string;
  /** The origin of files; the local database is named after it. */
  origin(): string;
  socketAddress(): SocketAddress;
  socketUrl(scheme: Scheme): string;
  rememberScheme(scheme: Scheme): void;
  /** Whether both schemes may be tried and nothing says yet which comes first. */
  isSchemeUnknown(): boolean;
  /** Records whether the server says that its socket has a secure address; false: it has none. */
  setSocketSecure(hasSecure: boolean | null | undefined): void;
  setCustom(text: string): Promise<ProbeResult>;
  /** Asks the server in use whether it is there. */
  check(): Promise<ServerCheck>;
}

/** Creates the address; a custom server is saved in this browser. */
export function createServerAddress(ports: Ports): ServerAddress {
  const { local } = ports.storage;
  const pageOrigin = ports.environment.origin;

  function saved(): { origin: string; base: string } | null {
    const value = readJson(local, LOCAL_KEYS.server);
    return isRecord(value) && typeof value["origin"] === "string" && typeof value["base"] === "string"
      ? { origin: value["origin"], base: value["base"] }
      : null;
  }

  /** Counts the attempts to choose a server. */
  let choices = 0;
  /** The latest attempt, while it runs. */
  let running: { readonly typed: string; readonly result: Promise<ProbeResult> } | null = null;

  /** The origin of a server that says that its socket has no secure address. */
  let plainOrigin: string | null = null;

  const origin = () => saved()?.origin ?? pageOrigin;
  const base = () => saved()?.base ?? `${pageOrigin}/api`;
  const customSocket = () =>
    readValue(local, LOCAL_KEYS.socket) ?? (saved() === null ? null : `${origin()}/im`);

  return {
    isKnown: () => saved() !== null || !isDesktopPage(),
    origin,
    base,
    customOrigin: () => saved()?.origin ?? "",
    socketAddress() {
      const custom = customSocket();
      if (custom !== null) return { first: isPlain(custom) ? "plain" : "secure", canFallBack: false };
      if (isSecurePage()) return { first: "secure", canFallBack: false };
      const first = rememberedScheme() ?? (plainOrigin === origin() ? "plain" : "secure");
      return { first, canFallBack: true };
    },
    socketUrl(scheme) {
      const url = customSocket() ?? `${pageOrigin}/im`;
      return url.replace(/^(https?|wss?|app):/, scheme === "secure" ? "wss:" : "ws:");
    },
    rememberScheme: (scheme) => writeValue(local, LOCAL_KEYS.scheme + origin(), scheme),
    isSchemeUnknown: () => customSocket() === null && !isSecurePage() && rememberedScheme() === null,
    setSocketSecure(hasSecure) {
      if (hasSecure === false) plainOrigin = origin();
      else if (plainOrigin === origin()) plainOrigin = null;
    },
    setCustom(text) {
      const typed = text.trim().replace(/\/+$/, "");
      // A press on the login button leaves the field, and so asks twice.
      if (running?.typed === typed) return running.result;
      const choice = ++choices;
      const isLatest = () => choice === choices;
      const result = choose(typed, isLatest).finally(() => {
        if (isLatest()) running = null;
      });
      running = { typed, result };
      return result;
    },
    async check() {
      const startedAt = ports.clock.now();
      const answer = await requestSettings(base(), true);
      const endedAt = ports.clock.now();
      const problem = problemOf(answer);
      if (problem !== null || answer.kind === "failed") return { kind: problem ?? "noAnswer" };
      const clockMs = answer.serverTime == null ? null : clockAhead(startedAt, endedAt, answer.serverTime);
      return { kind: "ok", answerMs: Math.max(0, endedAt - startedAt), clockMs };
    },
  };

  async function choose(typed: string, isLatest: () => boolean): Promise<ProbeResult> {
    if (typed === "") {
      writeValue(local, LOCAL_KEYS.server, null);
      return { ok: true, value: null };
    }
    const origins = originsOf(typed);
    if (!origins.every((origin) => /^https?:\/\/[^\s/?#@]+$/i.test(origin)))
      return { ok: false, problem: "notAnAddress" };
    if (isSecurePage() && origins.some(isPlain)) return { ok: false, problem: "plainFromSecure" };
    let problem: ProbeProblem = "noAnswer";
    for (const origin of origins) {
      for (const base of [`${origin}/api`, origin]) {
        const baseProblem = await tryServer(base);
        // An answer to an earlier choice must not replace the server of a later one.
        if (!isLatest()) return { ok: false, problem: "noAnswer" };
        if (baseProblem === null) {
          writeValue(local, LOCAL_KEYS.server, JSON.stringify({ origin, base }));
          return { ok: true, value: null };
        }
        if (baseProblem === "notParley") problem = baseProblem;
      }
    }
    return { ok: false, problem };
  }

  function requestSettings(base: string, wantsServerTime: boolean): Promise<HttpResponse> {
    const url = base + loadGlobalSetting.path;
    return ports.http.request({
      method: "GET",
      url,
      headers: {},
      timeoutMs: REQUEST_TIMEOUT_MS,
      wantsServerTime,
    });
  }

  function rememberedScheme(): Scheme | null {
    const stored = readValue(local, LOCAL_KEYS.scheme + origin());
    return stored === "plain" || stored === "secure" ? stored : null;
  }

  /** The origins that a typed address may mean, in the order in which they are tried. */
  function originsOf(typed: string): string[] {
    if (/^https?:\/\//i.test(typed)) return [typed];
    if (isSecurePage()) return [`https://${typed}`];
    if (!isDesktopPage()) return [`http://${typed}`];
    // Otherwise an attacker between here and a server on the internet could suppress the https answers and get passwords over http.
    return isLocalHost(typed) ? [`https://${typed}`, `http://${typed}`] : [`https://${typed}`];
  }

  /** The desktop application, whose own origin is no server. */
  function isDesktopPage(): boolean {
    return pageOrigin.startsWith("app:");
  }

  function isSecurePage(): boolean {
    return pageOrigin.startsWith("https:");
  }

  async function tryServer(base: string): Promise<ProbeProblem | null> {
    return problemOf(await requestSettings(base, false));
  }
}

function problemOf(answer: HttpResponse): "noAnswer" | "notParley" | null {
  if (answer.kind === "failed") return "noAnswer";
  try {
    const body: unknown = JSON.parse(answer.text);
    return isEnvelope(body) && loadGlobalSetting.answer.safeParse(body.data).success ? null : "notParley";
  } catch {
    return "notParley";
  }
}

/** Whether an address without a scheme is of this machine or of a local network. */
function isLocalHost(typed: string): boolean {
  const host = typed.replace(/:\d+$/, "").toLowerCase();
  // A number alone is an address of the internet, and letters that are not ASCII may become the dots of one.
  return (
    /^[a-z][a-z\d-]*(\.[a-z\d-]+)*\.(local|lan|home|internal)$/.test(host) ||
    /^[a-z][a-z\d-]*$/.test(host) ||
    /^\[(::1|fe80:[\da-f:]+|f[cd][\da-f]{2}:[\da-f:]+)\]$/.test(host) ||
    /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host)
  );
}

function isPlain(url: string): boolean {
  return /^(http|ws):/i.test(url);
}
