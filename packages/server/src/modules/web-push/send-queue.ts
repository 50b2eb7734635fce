/** Web pushes on their way: a bounded queue in memory, with a bounded number of requests at the same time. */
import type { WebPush, WebPushSender } from "../../ports/web-push.ts";
import type { SubscribedDevice } from "../../ports/web-push-store.ts";

const QUEUED_MAX = 10_000;
const RUNNING_MAX = 32;
/** How long to wait before each further attempt, if the push service names no time. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000];
/** A push service that wants a longer pause than this is not asked again: the message is old by then. */
const RETRY_AFTER_MAX_MS = 600_000;

/** A push for one device. */
export interface QueuedPush {
  device: SubscribedDevice;
  push: WebPush;
}

export interface SendQueueDeps {
  sender: WebPushSender;
  now(): number;
  inBackground(work: Promise<void>): void;
  /** The push service no longer knows the subscription. */
  gone(device: SubscribedDevice): Promise<void>;
  log: { warn(data: object, text: string): void };
}

/** Sends pushes as soon as there is room. */
export interface SendQueue {
  /** A push replaces one of the same device and topic that has not been sent. Drops it, and says so in the log, if the queue is full. */
  add(queued: QueuedPush): void;
  /** Starts the attempts that are due. */
  sweep(): void;
  /** How many wait for their request, or for another attempt. */
  waiting(): number;
}

interface Job extends QueuedPush {
  attempts: number;
}

/** The requests of one person run one after the other, so that a push service that never answers holds up nobody else. */
export function createSendQueue({ sender, now, inBackground, gone, log }: SendQueueDeps): SendQueue {
  /** By person, then by device and topic. */
  const queues = new Map<number, Map<string, Job>>();
  /** Those with something to send and nothing under way, the longest waiting first. */
  const ready = new Set<number>();
  const running = new Set<number>();
  /** By device and topic: what is tried again later. */
  const paused = new Map<string, { job: Job; until: number }>();
  let queued = 0;
  let dropped = 0;

  const keyOf = ({ device, push }: QueuedPush) => `${device.sessionId} ${push.topic}`;

  function enqueue(job: Job): void {
    const { userId } = job.device;
    const queue = queues.get(userId) ?? new Map<string, Job>();
    queues.set(userId, queue);
    const key = keyOf(job);
    if (!queue.has(key)) queued++;
    queue.set(key, job);
    if (!running.has(userId)) ready.add(userId);
  }

  function take(userId: number): Job | undefined {
    const queue = queues.get(userId);
    const [next] = queue ?? [];
    if (queue === undefined || next === undefined) return undefined;
    queue.delete(next[0]);
    queued--;
    if (queue.size === 0) queues.delete(userId);
    return next[1];
  }

  function start(): void {
    for (const userId of ready) {
      if (running.size >= RUNNING_MAX) return;
      ready.delete(userId);
      const job = take(userId);
      if (job === undefined) continue;
      running.add(userId);
      inBackground(attempt(job).finally(() => finished(userId)));
    }
  }

  function finished(userId: number): void {
    running.delete(userId);
    if (queues.has(userId)) ready.add(userId);
    start();
  }

  async function attempt(job: Job): Promise<void> {
    const { device, push } = job;
    const outcome = await sender.send(device, push);
    if (outcome.kind === "gone") return gone(device);
    if (outcome.kind === "accepted") return;
    const pauseMs =
      outcome.kind === "later"
        ? (outcome.retryAfterMs ?? RETRY_AFTER_MS[job.attempts] ?? Infinity)
        : Infinity;
    if (job.attempts < RETRY_AFTER_MS.length && pauseMs <= RETRY_AFTER_MAX_MS) return pause(job, pauseMs);
    log.warn({ host: hostOf(device), reason: outcome.reason }, "a web push was not delivered");
  }

  function pause(job: Job, pauseMs: number): void {
    // A newer push of the same topic may have been added since; it contains more.
    const key = keyOf(job);
    if (queues.get(job.device.userId)?.has(key) || paused.has(key)) return;
    if (queued + paused.size >= QUEUED_MAX) return void dropped++;
    paused.set(key, { job: { ...job, attempts: job.attempts + 1 }, until: now() + pauseMs });
  }

  return {
    waiting: () => queued + paused.size,
    add(push) {
      const key = keyOf(push);
      paused.delete(key);
      if (queued + paused.size >= QUEUED_MAX) return void dropped++;
      enqueue({ ...push, attempts: 0 });
      start();
    },
    sweep() {
      for (const [key, { job, until }] of paused) {
        if (now() < until) continue;
        paused.delete(key);
        enqueue(job);
      }
      if (dropped > 0) log.warn({ dropped }, "web pushes were dropped, because too many wait to be sent");
      dropped = 0;
      start();
    },
  };
}

/** Anybody who knows the whole address can send to the device, so only its host is logged. */
function hostOf({ endpoint }: SubscribedDevice): string {
  return URL.parse(endpoint)?.host ?? "";
}
