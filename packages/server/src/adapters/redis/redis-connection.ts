/** The connection of a node to Redis. It comes back by itself, and nothing waits for a Redis that is away. */
import { setTimeout as sleep } from "node:timers/promises";
import { ErrorReply, createClient } from "redis";
import { certificateProblem } from "../../ports/certificate-problem.ts";

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** How long a new connection may take until it can be used. */
const CONNECT_MS = 5_000;
/** A command without an answer after this time counts as failed. */
const ANSWER_MS = 1_000;
/** How often it is asked whether Redis still answers and takes writes. A connection without an answer until the next time is given up. */
const PING_MS = 5_000;
const CLOSE_MS = 1_000;
/** How often the log says the same. */
const REPORT_MS = 60_000;
const NO_ANSWER = "it does not answer";

/** One connection. After a loss there is another. */
export type RedisClient = ReturnType<typeof newClient>;

/** Redis is away, or has not answered in time. Whether it has done the command is unknown. */
class RedisAwayError extends Error {
  override name = "RedisAwayError";
}

type Preparation = (client: RedisClient, gapMs: number) => Promise<void>;

/** The connection of a node to Redis. */
export interface RedisConnection {
  /** The connection, if there is one. It may hang: use it only for what nobody waits for. */
  readonly client: RedisClient | undefined;
  /**
   * Runs commands. Rejects with `RedisAwayError`, at once if Redis is known to be away and otherwise after a second, or with the error that
   * Redis answers.
   */
  run<T>(command: (client: RedisClient) => Promise<T>): Promise<T>;
  /**
   * Is called for each new connection as soon as it can be used; what it throws ends this connection. `gapMs`: how long ago Redis has
   * surely answered, or since when this node waits for it; 0 if
   * `start` is still waiting for it.
   */
  prepare(work: Preparation): void;
  /** Replaces this connection because Redis does not do with it what it must; nothing happens if it was replaced already. */
  giveUp(client: RedisClient, cause: unknown): void;
  /** Returns a function that logs what went wrong under this text, at most once a minute. That Redis is away is logged already. */
  reporter(text: string): (error: unknown) => void;
  /** Connects. Resolves when that has succeeded or failed once; after that it is tried for ever. */
  start(): Promise<void>;
  /** Ends the connection after the commands that wait, or a second later. */
  close(): Promise<void>;
}

export interface RedisConnectionOptions {
  url: string;
  log: { info(data: object, text: string): void; warn(data: object, text: string): void };
  /** How often it is asked whether Redis still answers and takes writes, ms. */
  pingMs?: number;
}

/** Creates the connection; `start` connects. */
export function createRedisConnection(options: RedisConnectionOptions): RedisConnection {
  const { url, log, pingMs = PING_MS } = options;
  const preparations: Preparation[] = [];
  let answeredAt = performance.now();
  const closing = new AbortController();
  const { signal } = closing;
  let client: RedisClient | undefined;
  let loseCurrent: (cause: unknown) => void = () => undefined;
  /** Commands whose time is over. Until one of them is answered, Redis counts as away. */
  let unanswered = 0;

  /** Connects, and uses the connection until it is lost. Returns why it was lost. */
  const useOne = async (isFirst: boolean, ready: () => void): Promise<unknown> => {
    const next = newClient(url);
    let lose: (cause: unknown) => void = () => undefined;
    const lost = new Promise<unknown>((resolve) => (lose = resolve));
    next.on("error", lose);
    const closed = () => lose(new Error("the node closes it"));
    signal.addEventListener("abort", closed);
    const connect = async () => {
      await next.connect();
      await requirePrimary(next);
      client = next;
      loseCurrent = lose;
      unanswered = 0;
      const gapMs = isFirst ? 0 : performance.now() - answeredAt;
      answeredAt = performance.now();
      for (const prepare of preparations) await prepare(next, gapMs);
    };
    let stopPings: (() => void) | undefined;
    try {
      const refused = lost.then((cause) => Promise.reject(cause));
      await within(CONNECT_MS, Promise.race([connect(), refused]));
      stopPings = startPings(next, pingMs, lose, () => (answeredAt = performance.now()));
      ready();
      return await lost;
    } catch (error) {
      return error;
    } finally {
      client = undefined;
      stopPings?.();
      signal.removeEventListener("abort", closed);
      next.destroy();
    }
  };

  const keepConnected = async (tried: () => void): Promise<void> => {
    let isAway = false;
    let failures = 0;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const cause = await useOne(isFirst, () => {
        if (isAway) log.info({}, "Redis is back");
        isAway = false;
        failures = 0;
        tried();
      });
      if (signal.aborted) break;
      if (!isAway) log.warn({ reason: reasonOf(cause, url) }, "Redis is away");
      isAway = true;
      tried();
      await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS), signal);
      failures++;
    }
    tried();
  };
  let running: Promise<void> | undefined;

  return {
    get client() {
      return client;
    },
    async run(command) {
      if (client === undefined || unanswered > 0) throw new RedisAwayError("Redis is away");
      const used = client;
      const answer = command(used);
      try {
        return await within(ANSWER_MS, answer);
      } catch (error) {
        if (error instanceof ErrorReply) throw error;
        if (!(error instanceof RedisAwayError)) throw new RedisAwayError("Redis is away", { cause: error });
        unanswered += 1;
        const answered = () => {
          if (client === used) unanswered -= 1;
        };
        answer.then(answered, answered);
        throw error;
      }
    },
    reporter(text) {
      let next = -Infinity;
      return (error) => {
        if (error instanceof RedisAwayError || performance.now() < next) return;
        next = performance.now() + REPORT_MS;
        log.warn({ reason: reasonOf(error, url) }, text);
      };
    },
    prepare: (work) => void preparations.push(work),
    giveUp(used, cause) {
      if (client === used) loseCurrent(cause);
    },
    start: () =>
      new Promise((resolve) => {
        running = keepConnected(resolve);
      }),
    async close() {
      try {
        await within(CLOSE_MS, client?.close() ?? Promise.resolve());
      } catch (error) {
        log.warn({ reason: reasonOf(error, url) }, "the last commands to Redis are lost");
      }
      closing.abort();
      await running;
    },
  };
}

/** A connection that is not open yet, and that does not come back by itself. */
export function newClient(url: string) {
  return createClient({
    url,
    name: "parley",
    // A lost connection is replaced by another client; commands fail until then.
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_MS },
    // A time limit of the library needs a timer for each command and ends when the command is written.
    commandOptions: { timeout: 0 },
    maintNotifications: "disabled",
  });
}

/**
 * Throws if this Redis is a replica: it takes events and keeps them from those who are connected to the primary. A primary becomes one by a
 * failover, and its connections may stay. HELLO says so to every account, and also while Redis cannot save, which PING then reports instead.
 */
async function requirePrimary(client: RedisClient): Promise<void> {
  const { role } = await client.hello(3);
  if (role === "replica") throw new Error("it is a replica, which takes no writes");
}

/**
 * Calls `lose` when Redis can no longer be used. A connection stays open when a process hangs, a network is cut or another Redis becomes the
 * primary.
 */
function startPings(
  client: RedisClient,
  pingMs: number,
  lose: (cause: unknown) => void,
  answered: () => void,
): () => void {
  let isAnswered = true;
  let check: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    // After this turn has read what has arrived: the node itself may have been busy.
    check = setImmediate(() => {
      if (!isAnswered) return lose(new RedisAwayError(NO_ANSWER));
      isAnswered = false;
      requirePrimary(client).then(() => {
        isAnswered = true;
        answered();
      }, lose);
    });
  }, pingMs);
  return () => {
    clearInterval(timer);
    clearImmediate(check);
  };
}

/** Rejects with `RedisAwayError` if the work takes longer. The work goes on. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RedisAwayError(NO_ANSWER)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Waits for half to all of this time, so that the nodes do not all come at once. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms * (0.5 + Math.random() / 2), undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** What happened, without the password. */
export function reasonOf(error: unknown, url: string): string {
  // Without an address to connect to, there are several errors and no message.
  const { code } = error as NodeJS.ErrnoException;
  const text =
    certificateProblem(code) ??
    ((error instanceof Error ? error.message : String(error)) || (code ?? "unknown"));
  const password = decodeURIComponent(new URL(url).password);
  return password === "" ? text : text.replaceAll(password, "***");
}
