import { expect, test } from "vitest";
import { loggedIn } from "../testing/logged-in.ts";
import { pulledFrames, pullEnds } from "../testing/pulled-frames.ts";
import { settle } from "../testing/settle.ts";

const FRAMES = 5_000;
const CHATS = 200;
const RUNS = 25;

/** Time of one piece of work, ms. Of many runs the shortest counts: what else the machine did is in the others. */
function timeOf(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

test("M33 5,000 pulled frames into 200 chats cost at most 5 x JSON.parse and notify at most 10 times", async () => {
  const frames = pulledFrames(FRAMES, CHATS);
  let cost = Infinity;
  let reference = Infinity;
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
    cost = Math.min(
      cost,
      timeOf(() => fresh.deliverAll()),
    );
    reference = Math.min(
      reference,
      timeOf(() => frames.forEach((frame) => JSON.parse(frame))),
    );
    const { chats } = solo.client.getState();
    expect(chats.order).toHaveLength(CHATS);
    expect(chats.byKey["PRIVATE:3"]?.book.unread.length).toBeGreaterThan(0);
    expect(notified).toBeLessThanOrEqual(10);
    solo.client.close();
  }
  expect(cost / reference, `${cost} ms against ${reference} ms`).toBeLessThanOrEqual(5);
});
