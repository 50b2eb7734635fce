/** The counters of a server as Prometheus reads them. Loaded only where metrics are on. */
import { Gauge, Registry } from "prom-client";
import { type ChatType, CloseCode, Cmd } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { ERRORS } from "@parley/protocol/errors";
import type { BusEvent } from "../ports/bus.ts";
import { type BlobOperation, FLOOD_LIMITS, type Metrics } from "../ports/metrics.ts";
import type { WebPushOutcome } from "../ports/web-push.ts";
import { counterBy, counterOf, gaugeOf, histogramBy, histogramOf } from "./hot-path-metrics.ts";
import { measureProcess } from "./process-metrics.ts";

/** Writes of a commit: at most 1,024. */
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

const LABELS = { PRIVATE: "private", GROUP: "group", SYSTEM: "system" } as const satisfies Record<
  ChatType,
  string
>;
const BUS_EVENTS: Record<BusEvent["kind"], true> = {
  push: true,
  endSessions: true,
  kick: true,
  stale: true,
  staleGroup: true,
  settingsChanged: true,
  webPushSubscribed: true,
  alertsOver: true,
  query: true,
  answer: true,
  callClientDetached: true,
  interrupted: true,
};
const BLOB_OPERATIONS = ["put", "stat", "read", "delete"] as const satisfies BlobOperation[];
const WEB_PUSH_OUTCOMES: Record<WebPushOutcome["kind"], true> = {
  accepted: true,
  gone: true,
  later: true,
  refused: true,
};
/** The close codes of the protocol, and the usual ones of RFC 6455. A client may send any other number, so those are counted together. */
const CLOSE_CODES: ReadonlySet<string> = new Set(
  [1_000, 1_001, 1_005, 1_006, ...Object.values(CloseCode)].map(String),
);
const OTHER_CODE = "other";

/** How the frames of messages begin. They tell when it was sent. */
const PRIVATE_MESSAGE = `{"cmd":${Cmd.PRIVATE},"data":{"id":`;
const GROUP_MESSAGE = `{"cmd":${Cmd.GROUP},"data":{"id":`;
const SEND_TIME = '"sendTime":';
const ZERO = "0".charCodeAt(0);
const MS_PER_SECOND = 1_000;

/** The values that are read at each reading of the metrics. */
export interface GaugeSources {
  sockets(): number;
  people(): number;
  /** Whether this node and the others can hear each other. */
  isConnected(): boolean;
  /** How much waits, in each queue of this node. */
  queues: Readonly<Record<"writes" | "passwords" | "pictures" | "webPushes" | "background", () => number>>;
  /** How far the newest message lies in the future, in ms; undefined if it is not known yet. */
  messagesAheadMs(): number | undefined;
  /** Bytes of the file system that has DATA_DIR; undefined if it cannot be asked. */
  dataFolder(): { free: number; size: number } | undefined;
}

/** The counters, and the text in which Prometheus gets them. */
export interface PrometheusMetrics {
  readonly metrics: Metrics;
  readonly contentType: string;
  /** Asks these at each reading from now on. */
  observe(sources: GaugeSources): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** `now`: epoch milliseconds, the clock by which messages are sent. */
export function createPrometheusMetrics(now: () => number): PrometheusMetrics {
  // A registry of its own, because a process may run several nodes.
  const registry = new Registry();
  measureProcess(registry);
  return {
    metrics: {
      clock: () => performance.now() / MS_PER_SECOND,
      ...ofCalls(registry),
      ...ofSockets(registry, now),
      ...ofStore(registry),
      ...ofBus(registry),
      ...ofFiles(registry),
    },
    contentType: registry.contentType,
    observe: (sources) => observe(registry, sources),
    text: () => registry.metrics(),
  };
}

const elapsed = (began: number) => performance.now() / MS_PER_SECOND - began;

function ofCalls(
  registry: Registry,
): Pick<Metrics, "callAnswered" | "errorAnswered" | "messageSent" | "pullEnded"> {
  const countCall = counterBy(
    registry,
    { name: "parley_api_calls_total", help: "Calls of the API that succeeded, by endpoint." },
    "endpoint",
    Object.keys(ENDPOINTS),
  );
  const callSeconds = histogramOf(registry, {
    name: "parley_api_call_seconds",
    help: "Time of a successful call, from its headers and body to the answer.",
  });
  const countLogin = counterOf(registry, {
    name: "parley_logins_total",
    help: "Logins with a password that succeeded.",
  });
  const acknowledgeSeconds = histogramBy(
    registry,
    {
      name: "parley_message_acknowledge_seconds",
      help: "Time of a successful send, from the request to the answer, by chat.",
    },
    "chat",
    ["private", "group"],
  );
  const countError = counterBy(
    registry,
    { name: "parley_errors_total", help: "Errors that were answered, by key." },
    "key",
    Object.keys(ERRORS),
  );
  const countSent = counterBy(
    registry,
    { name: "parley_messages_sent_total", help: "Messages that were stored, by chat." },
    "chat",
    [LABELS.PRIVATE, LABELS.GROUP],
  );
  const pullSeconds = histogramBy(
    registry,
    {
      name: "parley_pull_seconds",
      help: "Time of a pull until its last row was handed to the socket, by chat.",
    },
    "chat",
    Object.values(LABELS),
  );
  const countPulled = counterBy(
    registry,
    { name: "parley_pulled_messages_total", help: "Messages in pulls, by chat." },
    "chat",
    Object.values(LABELS),
  );
  const countIncomplete = counterOf(registry, {
    name: "parley_pulls_incomplete_total",
    help: "Pulls that an error or the end of the socket cut short.",
  });
  return {
    callAnswered(endpoint, began) {
      const seconds = elapsed(began);
      countCall(endpoint);
      callSeconds(seconds);
      if (endpoint === "sendPrivateMessage") acknowledgeSeconds.private(seconds);
      else if (endpoint === "sendGroupMessage") acknowledgeSeconds.group(seconds);
      else if (endpoint === "login") countLogin();
    },
    errorAnswered: countError,
    messageSent: (chat) => countSent(LABELS[chat]),
    pullEnded(chat, rows, began, isComplete) {
      pullSeconds[LABELS[chat]](elapsed(began));
      countPulled(LABELS[chat], rows);
      if (!isComplete) countIncomplete();
    },
  };
}

function ofSockets(
  registry: Registry,
  now: () => number,
): Pick<
  Metrics,
  "socketLoggedIn" | "socketClosed" | "socketFlooded" | "upgradeRefused" | "framePushed" | "lostPushRepeated"
> {
  const countLogin = counterOf(registry, {
    name: "parley_socket_logins_total",
    help: "Sockets that logged in.",
  });
  const countClosed = counterBy(
    registry,
    { name: "parley_sockets_closed_total", help: "Sockets that closed, by close code." },
    "code",
    [...CLOSE_CODES, OTHER_CODE],
  );
  const countFlooded = counterBy(
    registry,
    {
      name: "parley_sockets_flooding_total",
      help: "Sockets that were cut off because they sent too much, by whose limit they exceeded.",
    },
    "limit",
    FLOOD_LIMITS,
  );
  const countUpgradeRefused = counterOf(registry, {
    name: "parley_upgrades_refused_total",
    help: "Requests for a socket that were refused because their address had sent too many.",
  });
  const countFrames = counterOf(registry, {
    name: "parley_frames_pushed_total",
    help: "Frames that were handed to a socket, without those of pulls.",
  });
  const lagSeconds = histogramOf(registry, {
    name: "parley_push_lag_seconds",
    help: "Time from the send of a message until its push was handed to the sockets of this node.",
  });
  const countRepeated = counterOf(registry, {
    name: "parley_lost_pushes_total",
    help: "Pushes that the bus had lost, and that were looked up.",
  });
  return {
    socketLoggedIn: () => countLogin(),
    socketClosed: (code) => countClosed(CLOSE_CODES.has(String(code)) ? String(code) : OTHER_CODE),
    socketFlooded: countFlooded,
    upgradeRefused: () => countUpgradeRefused(),
    framePushed(frame, sockets) {
      countFrames(sockets);
      const sentAt = sendTimeOf(frame);
      // Clocks of nodes differ.
      if (sentAt !== undefined) lagSeconds(Math.max(0, now() - sentAt) / MS_PER_SECOND);
    },
    lostPushRepeated: () => countRepeated(),
  };
}

/** When the message of a frame was sent, in epoch milliseconds; undefined for other frames. In content, quotation marks are escaped. */
function sendTimeOf(frame: string): number | undefined {
  if (!frame.startsWith(PRIVATE_MESSAGE) && !frame.startsWith(GROUP_MESSAGE)) return undefined;
  const start = frame.indexOf(SEND_TIME);
  if (start < 0) return undefined;
  let time = 0;
  for (let index = start + SEND_TIME.length; index < frame.length; index++) {
    const digit = frame.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) break;
    time = time * 10 + digit;
  }
  return time;
}

function ofStore(registry: Registry): Pick<Metrics, "committed" | "storeUsed"> {
  const writes = histogramOf(
    registry,
    { name: "parley_commit_writes", help: "Writes that shared a commit of the database." },
    WRITES,
  );
  const commitSeconds = histogramOf(registry, {
    name: "parley_commit_seconds",
    help: "Time of a commit of the database, until it is on the disk.",
  });
  const usedSeconds = histogramBy(
    registry,
    {
      name: "parley_store_seconds",
      help: "Time of a read or a transaction of the database. That of a transaction includes waiting for its commit.",
    },
    "operation",
    ["read", "write"],
  );
  return {
    committed(count, began) {
      writes(count);
      commitSeconds(elapsed(began));
    },
    storeUsed: (operation, began) => usedSeconds[operation](elapsed(began)),
  };
}

function ofBus(
  registry: Registry,
): Pick<Metrics, "busPublished" | "busSent" | "busWaiting" | "busInterrupted"> {
  const countEvent = counterBy(
    registry,
    { name: "parley_bus_events_total", help: "Events that this node published, by kind." },
    "kind",
    Object.keys(BUS_EVENTS),
  );
  const publishSeconds = histogramOf(registry, {
    name: "parley_bus_publish_seconds",
    help: "Time until the listeners of this node had heard an event, which includes writing it to their sockets.",
  });
  const redisSeconds = histogramOf(registry, {
    name: "parley_bus_redis_seconds",
    help: "Time until Redis had taken events for the other nodes.",
  });
  const waiting = new Gauge({
    name: "parley_bus_waiting_characters",
    help: "Characters of events that wait for Redis.",
    registers: [registry],
  });
  const countInterruption = counterOf(registry, {
    name: "parley_bus_interruptions_total",
    help: "How often events between nodes may have been lost.",
  });
  return {
    busPublished(kind, began) {
      countEvent(kind);
      publishSeconds(elapsed(began));
    },
    busSent: (began) => redisSeconds(elapsed(began)),
    busWaiting: (characters) => waiting.set(characters),
    busInterrupted: () => countInterruption(),
  };
}

function ofFiles(
  registry: Registry,
): Pick<Metrics, "blobUsed" | "blobStored" | "fileServed" | "webPushEnded"> {
  const usedSeconds = histogramBy(
    registry,
    {
      name: "parley_blob_seconds",
      help: "Time of an operation of the storage of files. That of a put includes receiving the bytes, that of a read only finding them.",
    },
    "operation",
    BLOB_OPERATIONS,
  );
  const countFailure = counterBy(
    registry,
    {
      name: "parley_blob_failures_total",
      help: "Operations for which the storage of files was away or full, by operation.",
    },
    "operation",
    BLOB_OPERATIONS,
  );
  const countStored = counterOf(registry, {
    name: "parley_blob_stored_bytes_total",
    help: "Bytes of files that were stored.",
  });
  const countServed = counterOf(registry, {
    name: "parley_blob_served_bytes_total",
    help: "Bytes of files in answers. A client may end an answer before its end.",
  });
  const countWebPush = counterBy(
    registry,
    { name: "parley_web_pushes_total", help: "Requests to push services, by outcome." },
    "outcome",
    Object.keys(WEB_PUSH_OUTCOMES),
  );
  return {
    blobUsed(operation, began, isAway) {
      usedSeconds[operation](elapsed(began));
      if (isAway) countFailure(operation);
    },
    blobStored: countStored,
    fileServed: countServed,
    webPushEnded: (outcome) => countWebPush(outcome),
  };
}

function observe(registry: Registry, sources: GaugeSources): void {
  const gauge = gaugeOf.bind(undefined, registry);
  gauge("parley_sockets", "Open sockets of this node.", sources.sockets);
  gauge("parley_connected_people", "People with a logged-in socket on this node.", sources.people);
  gauge("parley_bus_connected", "1 while this node and the others hear each other, 0 without Redis.", () =>
    Number(sources.isConnected()),
  );
  gauge("parley_data_folder_free_bytes", "Free bytes of the file system of DATA_DIR.", () => {
    return sources.dataFolder()?.free;
  });
  gauge("parley_data_folder_size_bytes", "Bytes of the file system of DATA_DIR.", () => {
    return sources.dataFolder()?.size;
  });
  gauge("parley_messages_ahead_seconds", "How far the newest message lies in the future.", () => {
    const aheadMs = sources.messagesAheadMs();
    return aheadMs === undefined ? undefined : aheadMs / MS_PER_SECOND;
  });
  void new Gauge({
    name: "parley_queue_depth",
    help: "How many wait: writes for the next commit, passwords for a check, pictures for an encoder, web pushes for a request, work in the background for its end.",
    labelNames: ["queue"],
    registers: [registry],
    collect() {
      for (const [name, depth] of Object.entries(sources.queues))
        this.set({ queue: snakeCase(name) }, depth());
    },
  });
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
