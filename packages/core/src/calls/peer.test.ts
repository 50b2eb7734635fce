import { describe, expect, test } from "vitest";
import type { IceServer } from "../call-ports.ts";
import { createFakeCallPorts } from "../testing/fake-call-ports.ts";
import { encoderLimits } from "../model/calls/encoder-limits.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createDeviceChoices } from "./device-choices.ts";
import { createLocalMedia, DEFAULT_PROCESSING } from "./local-media.ts";
import { createPeer } from "./peer.ts";

const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined };
const noStorage = { get: () => null, set: () => undefined, remove: () => undefined };

/** A peer with a fake connection, and what it has sent. */
function setUp(isPolite: boolean, iceServers: () => Promise<readonly IceServer[]> = async () => []) {
  const clock = createFakeClock();
  const ports = createFakeCallPorts(clock);
  const sent: string[] = [];
  /** What was sent last, and whether it is wanted. */
  const last = { isWanted: () => false };
  const states: string[] = [];
  const media = createLocalMedia({
    media: ports.media,
    clock,
    log: silent,
    choices: createDeviceChoices(noStorage, DEFAULT_PROCESSING),
    onChange: () => undefined,
  });
  const peer = createPeer({
    peers: ports.peers,
    clock,
    log: silent,
    iceServers,
    media,
    isPolite,
    sendDescription({ sdp }, isWanted) {
      sent.push(sdp);
      last.isWanted = isWanted;
    },
    sendCandidate: ({ candidate }) => sent.push(`candidate ${String(candidate)}`),
    onChange: ({ state, isSpeaking, quality }) => {
      states.push(
        [state, ...(isSpeaking ? ["speaking"] : []), ...(quality === null ? [] : [quality])].join(),
      );
    },
  });
  const [connection] = ports.connections;
  if (connection === undefined) throw new Error("the peer made no connection");
  return { clock, media, peer, connection, sent, last, states };
}

describe("a connection with another person", () => {
  test("sends its offer and its candidates, and again if they were lost", async () => {
    const { peer, connection, sent } = setUp(false);
    peer.connect();
    await flushMicrotasks();
    connection.gather({ candidate: "a" });
    peer.resend();
    await flushMicrotasks();
    expect(sent).toEqual(["peer1 offer 1", "candidate a", "peer1 offer 1", "candidate a"]);
  });

  test("answers an offer, and keeps candidates that came before it", async () => {
    const { peer, connection, sent } = setUp(true);
    peer.takeCandidate({ candidate: "early" });
    peer.takeDescription("offer", { type: "offer", sdp: "theirs" });
    peer.takeCandidate({ candidate: "late" });
    await flushMicrotasks();
    expect(sent).toEqual(["peer1 answers theirs"]);
    expect(connection.log).toEqual(["takes theirs", "candidate early", "candidate late"]);
  });

  test("PC46 repeats its answer to an offer that is repeated", async () => {
    const { peer, connection, sent } = setUp(true);
    const offers = (sdp: string) => peer.takeDescription("offer", { type: "offer", sdp });
    offers("theirs");
    await flushMicrotasks();
    connection.gather({ candidate: "a" });
    offers("theirs");
    offers("newer");
    await flushMicrotasks();
    // With its candidates, which may be lost as well.
    const first = ["peer1 answers theirs", "candidate a"];
    expect(sent).toEqual([...first, ...first, "peer1 answers newer"]);
    expect(connection.log).toEqual(["takes theirs", "takes newer"]);
  });

  test("waits for the servers of this time before it offers", async () => {
    const servers = Promise.withResolvers<readonly IceServer[]>();
    const { peer, connection, sent } = setUp(false, () => servers.promise);
    peer.connect();
    await flushMicrotasks();
    expect([connection.servers, sent]).toEqual([null, []]);
    const server = { urls: ["stun:parley.test"], username: null, credential: null };
    servers.resolve([server]);
    await flushMicrotasks();
    expect([connection.servers, sent]).toEqual([[server], ["peer1 offer 1"]]);
  });

  test("keeps its own offer if both have offered and it is the impolite side, and drops it otherwise", async () => {
    const impolite = setUp(false);
    impolite.peer.connect();
    await flushMicrotasks();
    impolite.peer.takeDescription("offer", { sdp: "theirs" });
    await flushMicrotasks();
    expect(impolite.connection.log).toEqual(["offer"]);
    const polite = setUp(true);
    polite.peer.connect();
    await flushMicrotasks();
    polite.peer.takeDescription("offer", { sdp: "theirs" });
    await flushMicrotasks();
    expect(polite.connection.log).toEqual(["offer", "takes theirs"]);
    expect(polite.sent).toEqual(["peer1 offer 1", "peer1 answers theirs"]);
  });

  test("PC44 offers again with new candidates as the impolite side, and repeats an offer that has no answer", async () => {
    const { peer, connection, sent } = setUp(false);
    peer.connect();
    await flushMicrotasks();
    peer.takeDescription("answer", { sdp: "theirs" });
    for (let i = 0; i < 2; i++) peer.restart();
    peer.takeCandidate({ candidate: "", restart: true });
    await flushMicrotasks();
    expect(connection.log).toEqual(["offer", "takes theirs", "restart"]);
    expect(sent).toEqual(["peer1 offer 1", "peer1 offer 2", "peer1 offer 2", "peer1 offer 2"]);
  });

  test("PC44 keeps the candidates of an answer that they overtake, though both have offered", async () => {
    const { peer, connection } = setUp(false);
    const named = (name: string) => ({ sdp: `v=0\r\na=ice-ufrag:${name}\r\n` });
    peer.connect();
    await flushMicrotasks();
    peer.takeDescription("offer", named("dropped"));
    peer.takeCandidate({ candidate: "of the offer", usernameFragment: "dropped" });
    peer.takeCandidate({ candidate: "of the answer", usernameFragment: "taken" });
    peer.takeCandidate({ candidate: "of somebody who names none" });
    peer.takeDescription("answer", named("taken"));
    await flushMicrotasks();
    expect(connection.log).toEqual([
      "offer",
      `takes ${named("taken").sdp}`,
      "candidate of the answer",
      "candidate of somebody who names none",
    ]);
  });

  test("PC44 takes no second answer to an older offer for the answer to a newer one", async () => {
    const { peer, connection, sent } = setUp(false);
    const answer = (name: string) => `v=0\r\na=ice-ufrag:${name}\r\n`;
    const take = async (sdp: string) => {
      peer.takeDescription("answer", { sdp });
      await flushMicrotasks();
      return connection.hasPendingOffer();
    };
    peer.connect();
    await flushMicrotasks();
    expect(await take(answer("old"))).toBe(false);
    peer.restart();
    expect(await take(answer("old"))).toBe(true);
    expect(await take(answer("new"))).toBe(false);
    expect(sent).toEqual(["peer1 offer 1", "peer1 offer 2"]);
  });

  test("PC44 wants an offer to arrive until it is answered, and an answer until there is a newer one", async () => {
    const mine = setUp(false);
    mine.peer.connect();
    await flushMicrotasks();
    const first = mine.last.isWanted;
    expect(first()).toBe(true);
    mine.peer.takeDescription("answer", { sdp: "theirs" });
    await flushMicrotasks();
    expect(first()).toBe(false);
    mine.peer.restart();
    await flushMicrotasks();
    expect([first(), mine.last.isWanted()]).toEqual([false, true]);
    const { peer, last } = setUp(true);
    peer.takeDescription("offer", { sdp: "theirs" });
    await flushMicrotasks();
    const answer = last.isWanted;
    expect(answer()).toBe(true);
    peer.takeDescription("offer", { sdp: "theirs, newer" });
    await flushMicrotasks();
    expect([answer(), last.isWanted()]).toEqual([false, true]);
  });

  test("PC44 asks the other side to offer again as the polite side, and does not do so itself", async () => {
    const { peer, connection, sent } = setUp(true);
    peer.takeDescription("offer", { sdp: "theirs" });
    peer.restart();
    peer.takeCandidate({ candidate: "", restart: true });
    await flushMicrotasks();
    expect(connection.log).toEqual(["takes theirs"]);
    expect(sent).toEqual(["candidate ", "peer1 answers theirs"]);
  });

  test("PC51 sends again what may be lost, and begins again only if it has failed or both have tried for 10 s", async () => {
    const { clock, peer, connection, sent } = setUp(false);
    const repair = async (ms: number) => {
      clock.advance(ms);
      peer.repair();
      await flushMicrotasks();
      return sent.splice(0);
    };
    peer.connect();
    await flushMicrotasks();
    connection.gather({ candidate: "a" });
    sent.splice(0);
    expect(await repair(20_000)).toEqual(["peer1 offer 1", "candidate a"]);
    peer.takeDescription("answer", { sdp: "theirs" });
    await flushMicrotasks();
    // The answer has come, and the candidates may be lost.
    expect(await repair(8_000)).toEqual(["candidate a"]);
    // The other side repeats its answer, which says nothing of how long it has tried.
    peer.takeDescription("answer", { sdp: "theirs" });
    expect(await repair(4_000)).toEqual(["peer1 offer 2"]);
    connection.gather({ candidate: "b" });
    sent.splice(0);
    expect(await repair(4_000)).toEqual(["peer1 offer 2", "candidate b"]);
    peer.takeDescription("answer", { sdp: "theirs, newer" });
    connection.change("failed");
    await flushMicrotasks();
    expect(await repair(0)).toEqual(["peer1 offer 3"]);
    expect(connection.log.filter((what) => what === "restart")).toHaveLength(2);
  });

  test("PC51 sends its answer again, or its own offer, and never offers anew as the polite side", async () => {
    const answering = setUp(true);
    answering.peer.takeDescription("offer", { sdp: "theirs" });
    await flushMicrotasks();
    answering.connection.gather({ candidate: "a" });
    answering.peer.repair();
    await flushMicrotasks();
    const answer = ["peer1 answers theirs", "candidate a"];
    expect(answering.sent).toEqual([...answer, ...answer]);
    answering.clock.advance(10_000);
    answering.peer.repair();
    await flushMicrotasks();
    expect(answering.sent.slice(4)).toEqual(["candidate "]);
    const offering = setUp(true);
    offering.peer.connect();
    await flushMicrotasks();
    offering.clock.advance(10_000);
    offering.peer.repair();
    await flushMicrotasks();
    expect(offering.sent).toEqual(["peer1 offer 1", "peer1 offer 1"]);
  });

  test("ignores a description without a text", async () => {
    const { peer, connection } = setUp(true);
    peer.takeDescription("offer", { type: "offer" });
    await flushMicrotasks();
    expect(connection.log).toEqual([]);
  });

  test("tells who speaks, for a moment longer than they do", async () => {
    const { clock, connection, states } = setUp(true);
    connection.change("connected");
    connection.loudness = 0.3;
    clock.advance(1_000);
    connection.loudness = 0;
    clock.advance(1_500);
    expect(states).toEqual(["connected", "connected,speaking", "connected"]);
  });

  test("PC54 sends a whole picture when sound arrives again, and none for the first sound, nor for silence", async () => {
    const { clock, connection } = setUp(true);
    const pictures = async (...levels: (number | null)[]) => {
      for (const level of levels) {
        connection.loudness = level;
        clock.advance(250);
      }
      await flushMicrotasks();
      return connection.log.splice(0).length;
    };
    connection.loudness = null;
    connection.change("connected");
    clock.advance(1_000);
    expect(await pictures(null, null, 0.3, 0, 0, 0.3)).toBe(0);
    expect(await pictures(null, null, null)).toBe(0);
    expect(await pictures(0, 0, 0)).toBe(1);
    expect(await pictures(null, 0.3)).toBe(1);
  });

  test("tells how good the connection is", async () => {
    const { clock, connection, states } = setUp(true);
    connection.change("connected");
    const measured = { roundTripMs: 40, framesPerSecond: 30, freezeMs: 0, isLimited: false };
    for (const lossRate of [0, 0.05, 0.2]) {
      connection.measured = { ...measured, lossRate };
      clock.advance(2_000);
      await flushMicrotasks();
    }
    expect(states).toEqual(["connected", "connected,good", "connected,fair", "connected,poor"]);
  });

  test("does nothing after it was closed", async () => {
    const { clock, peer, connection, sent, states } = setUp(false);
    connection.change("connected");
    peer.close();
    peer.restart();
    connection.gather({ candidate: "a" });
    connection.change("failed");
    clock.advance(60_000);
    await flushMicrotasks();
    expect(connection.isClosed).toBe(true);
    expect({ sent, states }).toEqual({ sent: [], states: ["connected"] });
    expect(clock.nextAt()).toBeNull();
  });

  test("GC69 sends a smaller picture after 10 s of a limited encoder, and a larger one after 30 s without", async () => {
    const { clock, peer, connection } = setUp(false);
    const [large, middle, small] = encoderLimits(7);
    peer.setLimits([large, middle!, small!]);
    connection.change("connected");
    const pass = async (seconds: number, isLimited: boolean) => {
      connection.measured = { ...connection.measured, isLimited };
      for (let s = 0; s < seconds; s += 2) {
        clock.advance(2_000);
        await flushMicrotasks();
      }
    };
    await pass(4, false);
    expect(connection.limit).toBe(large);
    await pass(10, true);
    expect(connection.limit).toBe(large);
    await pass(2, true);
    expect(connection.limit).toBe(middle);
    await pass(60, true);
    expect(connection.limit).toBe(small);
    await pass(32, false);
    expect(connection.limit).toBe(middle);
    await pass(300, false);
    expect(connection.limit).toBe(large);
  });
});
