import { expect, test } from "vitest";
import { loggedIn } from "../testing/logged-in.ts";
import { pulledFrames, pullEnds } from "../testing/pulled-frames.ts";
import { settle } from "../testing/settle.ts";

const FRAMES = 5_000;
const CHATS = 200;
const WARM_UP_RUNS = 10;
const RUNS = 40;

/** CPU time of this thread, ms: what else the machine does is not in it. It is counted in ticks, so only sums of many runs tell. */
function cpuOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

test("M33 5,000 pulled frames into 200 chats cost at most 5 x JSON.parse and notify at most 10 times", async () => {
  const frames = pulledFrames(FRAMES, CHATS);
  let cost = 0;
  let reference = 0;
  for (let run = 0; run < RUNS; run++) {
    const solo = await loggedIn();
    const wire = solo.ports.sockets.last();
    wire.close(1006);
    solo.client.session.retryConnection();
    await settle();
    await solo.goOnline();
    let notified = 0;
    solo.client.subscribe(() => notified++);
    const fresh = solo.ports.sockets.last();
    fresh.down.push(...frames, ...pullEnds());
    const spent = cpuOf(() => fresh.deliverAll());
    const parsing = cpuOf(() => frames.forEach((frame) => JSON.parse(frame)));
    if (run >= WARM_UP_RUNS) {
      cost += spent;
      reference += parsing;
    }
    const { chats } = solo.client.getState();
    expect(chats.order).toHaveLength(CHATS);
    expect(chats.byKey["PRIVATE:3"]?.book.unread.length).toBeGreaterThan(0);
    expect(notified).toBeLessThanOrEqual(10);
    solo.client.close();
  }
  expect(cost / reference, `${cost} ms against ${reference} ms`).toBeLessThanOrEqual(5);
});
