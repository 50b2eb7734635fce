import { randomBytes } from "node:crypto";
import type { Bus, BusEvent } from "../../ports/bus.ts";
import { type Metrics, noMetrics } from "../../ports/metrics.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { decodeBusMessages, encodeBusMessage } from "./bus-message.ts";
import { createMemoryBus } from "./memory-bus.ts";

/** How many characters may wait for Redis. A network that is slower than the events loses some of them. */
const WAITING_MAX = 32 * 1_048_576;
/** How many characters leave at once, so that little waits behind them. */
const BATCH_MAX = 65_536;
/** How often listeners are informed that they hear nothing of other nodes, ms. */
const AWAY_MS = 10_000;

export interface RedisBusOptions {
  connection: RedisConnection;
  /** The same for all nodes of an installation, and for nobody else. Redis does not separate channels by its databases. */
  channel: string;
  /** Gets what listeners throw. */
  onError(error: unknown): void;
  /** The most characters that may wait for Redis. */
  waitingMax?: number;
  /** Counts what Redis takes. */
  metrics?: Pick<Metrics, "clock" | "busSent" | "busWaiting">;
  /** How often listeners get `interrupted` while Redis is away, ms. */
  awayMs?: number;
}

/**
 * The bus between nodes: Redis's publish and subscribe. The listeners of the own node do not wait for it. While it is away, events reach the
 * own node only, and nothing is kept for later. Create it before the connection starts, and close the connection after it.
 */
export function createRedisBus(options: RedisBusOptions): Bus {
  const {
    connection,
    channel,
    onError,
    waitingMax = WAITING_MAX,
    awayMs = AWAY_MS,
    metrics = noMetrics,
  } = options;
  const local = createMemoryBus(onError);
  /** Begins each message, because Redis also sends a node what it has published. */
  const own = `${randomBytes(9).toString("base64url")} `;
  const reportUnreadable = connection.reporter("an event of another node cannot be read");
  let waiting = 0;
  /** Since when events are dropped because too much waits; undefined while nothing is dropped. */
  let losingSince: number | undefined;
  let isClosed = false;

  /** The events of this turn. They leave as one message of Redis, because each message costs both sides more than its content. */
  let batch = "";

  const send = (message: BusEvent): void => {
    // When Redis comes back, all nodes hear that they have missed something.
    if (connection.client === undefined) return;
    // Runs when everything that is ready in this turn has run, such as all sends of a commit.
    if (batch === "") process.nextTick(sendBatch);
    batch += encodeBusMessage(message);
    if (batch.length > BATCH_MAX) sendBatch();
  };

  const changeWaiting = (by: number): void => {
    waiting += by;
    metrics.busWaiting(waiting);
  };

  const sendBatch = (): void => {
    const text = own + batch;
    const isEmpty = batch === "";
    batch = "";
    const { client } = connection;
    if (client === undefined || isEmpty) return;
    if (waiting + text.length > waitingMax) {
      losingSince ??= performance.now();
      return;
    }
    changeWaiting(text.length);
    const began = metrics.clock();
    const sent = () => {
      changeWaiting(-text.length);
      metrics.busSent(began);
      if (waiting > 0 || losingSince === undefined) return;
      const gapMs = performance.now() - losingSince;
      losingSince = undefined;
      send({ kind: "interrupted", gapMs });
    };
    client.publish(channel, text).then(sent, (error: unknown) => {
      changeWaiting(-text.length);
      // The next connection announces the gap. A Redis that goes on refusing has none, so it counts as away.
      connection.giveUp(client, error);
    });
  };

  const receive = (text: string): void => {
    if (text.startsWith(own)) return;
    const { messages, problem } = decodeBusMessages(text.slice(text.indexOf(" ") + 1));
    for (const message of messages) local.publish(message);
    // Without the text, which may hold a message of a person.
    if (problem !== undefined) reportUnreadable(new Error(problem));
  };

  connection.prepare(async (client, gapMs) => {
    await client.subscribe(channel, receive);
    if (gapMs === 0) return;
    // After the subscription, so that nothing can be lost between the two.
    const gap: BusEvent = { kind: "interrupted", gapMs };
    await client.publish(channel, own + encodeBusMessage(gap));
    local.publish(gap);
  });
  const timer = setInterval(() => {
    // A session that ends on another node must not stay valid here for as long as Redis is away.
    if (connection.client === undefined) local.publish({ kind: "interrupted", gapMs: awayMs });
  }, awayMs);
  timer.unref();

  return {
    publish(event) {
      if (isClosed) return;
      // First to the others, so that they get what a listener publishes after what it has heard.
      send(event);
      local.publish(event);
    },
    subscribe: (listener) => local.subscribe(listener),
    async close() {
      isClosed = true;
      sendBatch();
      clearInterval(timer);
      await local.close();
    },
  };
}
