import { refreshToken } from "@parley/protocol/endpoints/account";
import type { TokenPair } from "@parley/protocol/entities";
import { type ErrorParams, LOGOUT_REASONS, type LogoutReason } from "@parley/protocol/envelope";
import { TOKEN_REFRESH_AHEAD_MS } from "@parley/protocol/limits";
import { textOf } from "../model/shape.ts";
import type { Api } from "./api.ts";
import { isRecord, readJson, writeValue } from "./keep.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";

/** A session as this tab keeps it. Tabs that were duplicated share a `lineage`, and with it the newest pair. */
export interface Tokens {
  readonly lineage: string;
  /** Rises with each refresh. */
  readonly serial: number;
  readonly accessToken: string;
  readonly accessEndsAt: number;
  readonly refreshToken: string;
}

export interface TabSession {
  readonly userId: number;
  readonly userName: string;
  readonly tokens: Tokens;
}

const SESSION = "parley.session";
const storedPair = (lineage: string) => `tokens:${lineage}`;

export interface TokenKeeper {
  current(): Tokens | null;
  /** Of a fresh login, before its user is known. */
  begin(pair: TokenPair): void;
  /** Ties the tokens to their user and keeps them for reloads of this tab. */
  keep(userId: number, userName: string): void;
  /** What this tab kept before it was reloaded. */
  restore(): TabSession | null;
  drop(): void;
  refresh(): Promise<"ok" | "ended" | "failed">;
  /** What the server said when it refused to refresh these; null: nothing of a reason. */
  end(): { readonly reason: LogoutReason; readonly text: string } | null;
  /** Whether the access token is good for a socket login. */
  isFresh(): boolean;
  close(): void;
}

export function createTokenKeeper(ports: Ports, disk: Disk, api: () => Api): TokenKeeper {
  const { session } = ports.storage;
  let tokens: Tokens | null = null;
  let owner: { userId: number; userName: string } | null = null;
  let ended: ReturnType<TokenKeeper["end"]> = null;
  let refreshing: { lineage: string; outcome: Promise<"ok" | "ended" | "failed"> } | null = null;

  function adopt(next: Tokens): void {
    tokens = next;
    if (owner !== null) writeValue(session, SESSION, JSON.stringify({ ...owner, tokens }));
  }

  const stopListening = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["kind"] !== "tokens") return;
    const pair = readTokens(message["tokens"]);
    if (pair !== null && isNewer(pair)) adopt(pair);
  });

  function isNewer(pair: Tokens): boolean {
    return tokens !== null && pair.lineage === tokens.lineage && pair.serial > tokens.serial;
  }

  async function refreshOnce(old: Tokens): Promise<"ok" | "ended" | "failed"> {
    // Another tab may have refreshed while this one slept or waited for its turn.
    const known = readTokens(await disk.value(storedPair(old.lineage)));
    if (known !== null && isNewer(known)) adopt(known);
    if (tokens?.lineage !== old.lineage) return "ended";
    if (tokens.serial > old.serial) return "ok";
    const result = await api().call(refreshToken, {}, { quiet: true, refreshToken: tokens.refreshToken });
    // Who asked has left; whoever is here now keeps what is theirs.
    if (tokens?.lineage !== old.lineage) return "ended";
    if (result.ok) {
      const next = toTokens(result.value, tokens.lineage, tokens.serial + 1, ports.clock.now());
      adopt(next);
      disk.keep({ values: { [storedPair(next.lineage)]: next } });
      await disk.flush();
      ports.tabs.tell({ kind: "tokens", tokens: next });
      return "ok";
    }
    if (result.failure.kind !== "refused") return "failed";
    ended = endIn(result.failure.params);
    return "ended";
  }

  return {
    current: () => tokens,
    end: () => ended,
    begin(pair) {
      owner = null;
      ended = null;
      tokens = toTokens(pair, ports.random.id(), 0, ports.clock.now());
    },
    keep(userId, userName) {
      owner = { userId, userName };
      if (tokens !== null) adopt(tokens);
    },
    restore() {
      const value = readJson(session, SESSION);
      if (!isRecord(value)) return null;
      const { userId, userName } = value;
      const kept = readTokens(value["tokens"]);
      if (kept === null || typeof userId !== "number" || typeof userName !== "string") return null;
      tokens = kept;
      owner = { userId, userName };
      return { userId, userName, tokens: kept };
    },
    drop() {
      if (tokens !== null) disk.keep({ values: { [storedPair(tokens.lineage)]: null } });
      tokens = null;
      owner = null;
      ended = null;
      writeValue(session, SESSION, null);
    },
    refresh() {
      const old = tokens;
      if (old === null) return Promise.resolve("ended");
      const { lineage } = old;
      // The refresh of somebody who has left may still wait: it is not this one's.
      if (refreshing?.lineage !== lineage) {
        const outcome = ports.tabs
          .exclusive(`parley.refresh:${lineage}`, () => refreshOnce(old))
          .finally(() => {
            if (refreshing?.lineage === lineage) refreshing = null;
          });
        refreshing = { lineage, outcome };
      }
      return refreshing.outcome;
    },
    isFresh: () => tokens !== null && tokens.accessEndsAt - ports.clock.now() > TOKEN_REFRESH_AHEAD_MS,
    close: stopListening,
  };
}

function endIn({ reason, text }: ErrorParams): ReturnType<TokenKeeper["end"]> {
  const known = LOGOUT_REASONS.find((one) => one === reason);
  return known === undefined ? null : { reason: known, text: textOf(text) };
}

function toTokens(pair: TokenPair, lineage: string, serial: number, now: number): Tokens {
  return {
    lineage,
    serial,
    accessToken: pair.accessToken,
    accessEndsAt: now + pair.accessTokenExpiresIn * 1000,
    refreshToken: pair.refreshToken,
  };
}

function readTokens(value: unknown): Tokens | null {
  if (!isRecord(value)) return null;
  const { lineage, serial, accessToken, accessEndsAt, refreshToken } = value;
  return typeof lineage === "string" &&
    typeof serial === "number" &&
    typeof accessToken === "string" &&
    typeof accessEndsAt === "number" &&
    typeof refreshToken === "string"
    ? { lineage, serial, accessToken, accessEndsAt, refreshToken }
    : null;
}
