import { expect, test } from "vitest";
import type { WebPushOutcome, WebPushSender } from "../../ports/web-push.ts";
import type { SubscribedDevice } from "../../ports/web-push-store.ts";
import { createSendQueue } from "./send-queue.ts";

/** A queue whose requests a test answers one by one. */
function createTestQueue() {
  const running: { payload: string; answer(outcome: WebPushOutcome): Promise<void> }[] = [];
  const gone: string[] = [];
  const warnings: object[] = [];
  let time = 0;
  const sender: Pick<WebPushSender, "send"> = {
    send: (_, { payload }) =>
      new Promise((resolve) =>
        running.push({
          payload,
          async answer(outcome) {
            running.splice(
              running.findIndex((one) => one.payload === payload),
              1,
            );
            resolve(outcome);
            // The next request begins some turns later.
            await new Promise((done) => setTimeout(done));
          },
        }),
      ),
  };
  const queue = createSendQueue({
    sender: sender as WebPushSender,
    now: () => time,
    inBackground: (work) => void work,
    gone: async ({ sessionId }) => void gone.push(sessionId),
    log: { warn: (data) => void warnings.push(data) },
  });
  const add = (userId: number, payload: string, topic = payload) =>
    queue.add({ device: deviceOfUser(userId), push: { payload, topic, ttlSeconds: 1, urgency: "normal" } });
  const answer = async (outcome: WebPushOutcome) => running[0]?.answer(outcome);
  const pass = (ms: number) => {
    time += ms;
    queue.sweep();
  };
  return { add, answer, pass, gone, warnings, running: () => running.map(({ payload }) => payload) };
}

const deviceOfUser = (userId: number): SubscribedDevice => ({
  sessionId: `session of ${userId}`,
  userId,
  endpoint: "https://push.example.org/secret-path",
  p256dh: "",
  auth: "",
  hasPreview: false,
  language: "en",
  createdAt: 0,
  deviceNo: null,
});

const ACCEPTED = { kind: "accepted" } as const;
const LATER = { kind: "later", retryAfterMs: null, reason: "status 503" } as const;

test("WP7 the requests of one person run one after the other, and 32 at the same time", async () => {
  const queue = createTestQueue();
  queue.add(1, "1a");
  queue.add(1, "1b");
  queue.add(2, "2a");
  expect(queue.running()).toEqual(["1a", "2a"]);
  await queue.answer(ACCEPTED);
  expect(queue.running()).toEqual(["2a", "1b"]);
  for (let userId = 3; userId < 60; userId++) queue.add(userId, `${userId}`);
  expect(queue.running()).toHaveLength(32);
  await queue.answer(ACCEPTED);
  expect(queue.running()).toHaveLength(32);
});

test("WP5 a push replaces one of the same topic that waits", async () => {
  const queue = createTestQueue();
  queue.add(1, "running");
  queue.add(1, "old", "chat");
  queue.add(1, "other");
  queue.add(1, "new", "chat");
  const sent: string[] = [];
  for (let n = 0; n < 3; n++) {
    sent.push(...queue.running());
    await queue.answer(ACCEPTED);
  }
  expect(sent).toEqual(["running", "new", "other"]);
  expect(queue.running()).toEqual([]);
});

test("WP7 three further attempts after 5, 30 and 120 s, unless a newer push of the topic comes; the log names only the host", async () => {
  const queue = createTestQueue();
  queue.add(1, "a");
  for (const wait of [5_000, 30_000, 120_000]) {
    await queue.answer(LATER);
    queue.pass(wait - 1);
    expect(queue.running()).toEqual([]);
    queue.pass(1);
    expect(queue.running()).toEqual(["a"]);
  }
  await queue.answer(LATER);
  queue.pass(1_000_000);
  expect(queue.running()).toEqual([]);
  expect(queue.warnings).toEqual([{ host: "push.example.org", reason: "status 503" }]);

  queue.add(2, "old", "chat");
  await queue.answer(LATER);
  queue.add(2, "new", "chat");
  await queue.answer(ACCEPTED);
  queue.pass(10_000);
  expect(queue.running()).toEqual([]);
});

test("WP7 a service that wants a pause of more than 10 minutes is not asked again", async () => {
  const queue = createTestQueue();
  queue.add(1, "a");
  await queue.answer({ ...LATER, retryAfterMs: 600_001 });
  queue.pass(10_000_000);
  expect(queue.running()).toEqual([]);
  queue.add(1, "b");
  await queue.answer({ kind: "gone" });
  expect(queue.gone).toEqual(["session of 1"]);
});

test("WP7 at most 10,000 wait; the log says how many were dropped", () => {
  const queue = createTestQueue();
  for (let n = 0; n <= 10_005; n++) queue.add(1, `${n}`);
  queue.pass(1_000);
  expect(queue.warnings).toEqual([{ dropped: 5 }]);
});
