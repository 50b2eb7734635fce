import * as z from "zod/mini";
import { refreshToken } from "@parley/protocol/endpoints/account";
import type { TokenPair } from "@parley/protocol/entities";
import { type ErrorParams, LOGOUT_REASONS, type LogoutReason } from "@parley/protocol/envelope";
import { TOKEN_REFRESH_AHEAD_MS } from "@parley/protocol/limits";
import type { Api } from "../connection/api.ts";
import { readJson, SESSION_KEYS, writeValue } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import { type Tokens, tokens as storedTokens } from "../storage/stored-values.ts";
import { broadcastToTabs, listenToTabs } from "../storage/tab-messages.ts";
import type { Ports } from "../ports.ts";

const tabSession = z.object({ userId: z.number(), userName: z.string(), tokens: storedTokens });
/** What this tab saves in its session storage. */
export type TabSession = z.output<typeof tabSession>;

const tokensKey = (lineage: string) => `tokens:${lineage}` as const;

/** Holds, saves and refreshes the tokens of this tab, together with the other tabs of the same lineage. */
export interface TokenStore {
  current(): Tokens | null;
  /** Starts with the tokens of a new login, before its user is known. */
  startSession(pair: TokenPair): void;
  /** Binds the tokens to their user and saves them for reloads of this tab. */
  saveFor(userId: number, userName: string): void;
  /** The session that this tab saved before it was reloaded. */
  restore(): TabSession | null;
  clear(): void;
  /** Forgets the tokens in this tab only; other tabs of the lineage go on with theirs. */
  leaveTab(): void;
  refresh(): Promise<"ok" | "ended" | "failed">;
  /** The reason that the server gave when it refused to refresh these tokens; null: it gave none. */
  endReason(): { readonly reason: LogoutReason; readonly text: string } | null;
  /** Whether the access token is valid long enough for a socket login. */
  isFresh(): boolean;
  close(): void;
}

/** Creates the token store of this tab. `database`: that of the session, if there is one; `api` is called only for a refresh. */
export function createTokenStore(
  ports: Ports,
  database: () => LocalDatabase | null,
  api: () => Api,
): TokenStore {
  const { session } = ports.storage;
  let tokens: Tokens | null = null;
  let user: { userId: number; userName: string } | null = null;
  let ended: ReturnType<TokenStore["endReason"]> = null;
  let refreshing: { lineage: string; outcome: Promise<"ok" | "ended" | "failed"> } | null = null;

  function adopt(next: Tokens): void {
    tokens = next;
    if (user !== null) writeValue(session, SESSION_KEYS.session, JSON.stringify({ ...user, tokens }));
  }

  const stopListening = listenToTabs(ports.tabs, "tokens", (message) => {
    if (isNewer(message.tokens)) adopt(message.tokens);
  });

  function isNewer(pair: Tokens): boolean {
    return tokens !== null && pair.lineage === tokens.lineage && pair.serial > tokens.serial;
  }

  async function refreshOnce(old: Tokens): Promise<"ok" | "ended" | "failed"> {
    // Another tab may have refreshed while this one was suspended or waited for the lock.
    const { data: stored } = storedTokens.safeParse(await database()?.value(tokensKey(old.lineage)));
    if (stored !== undefined && isNewer(stored)) adopt(stored);
    if (tokens?.lineage !== old.lineage) return "ended";
    if (tokens.serial > old.serial) return "ok";
    const result = await api().call(refreshToken, {}, { silent: true, refreshToken: tokens.refreshToken });
    // The user has logged out during the request; the tokens of the current user stay.
    if (tokens?.lineage !== old.lineage) return "ended";
    if (result.ok) {
      const next = toTokens(result.value, tokens.lineage, tokens.serial + 1, ports.clock.now());
      adopt(next);
      database()?.save({ values: valuesOfLineage(next.lineage, next) });
      await database()?.flush();
      broadcastToTabs(ports.tabs, { kind: "tokens", tokens: next });
      return "ok";
    }
    if (result.failure.kind !== "refused") return "failed";
    ended = endReasonOf(result.failure.params);
    return "ended";
  }

  function leaveTab(): void {
    tokens = null;
    user = null;
    ended = null;
    writeValue(session, SESSION_KEYS.session, null);
  }

  return {
    current: () => tokens,
    endReason: () => ended,
    startSession(pair) {
      user = null;
      ended = null;
      tokens = toTokens(pair, ports.random.id(), 0, ports.clock.now());
    },
    saveFor(userId, userName) {
      user = { userId, userName };
      if (tokens !== null) adopt(tokens);
    },
    restore() {
      const { data: saved } = tabSession.safeParse(readJson(session, SESSION_KEYS.session));
      if (saved === undefined) return null;
      tokens = saved.tokens;
      user = { userId: saved.userId, userName: saved.userName };
      return saved;
    },
    clear() {
      if (tokens !== null) database()?.save({ values: valuesOfLineage(tokens.lineage, null) });
      leaveTab();
    },
    leaveTab,
    refresh() {
      const old = tokens;
      if (old === null) return Promise.resolve("ended");
      const { lineage } = old;
      // A refresh of a user who has logged out may still be pending; it does not count for this user.
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

/** The newest tokens of a lineage, saved for its other tabs; null removes them. */
function valuesOfLineage(lineage: string, newest: Tokens | null) {
  const values: Record<ReturnType<typeof tokensKey>, Tokens | null> = {};
  values[tokensKey(lineage)] = newest;
  return values;
}

function endReasonOf({ reason, text }: ErrorParams): ReturnType<TokenStore["endReason"]> {
  const knownReason = LOGOUT_REASONS.find((logoutReason) => logoutReason === reason);
  return knownReason === undefined
    ? null
    : { reason: knownReason, text: typeof text === "string" ? text : "" };
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
