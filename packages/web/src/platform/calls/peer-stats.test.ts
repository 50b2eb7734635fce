import { expect, test } from "vitest";
import { NO_TOTALS, readStats, type StatsEntry } from "./peer-stats.ts";

const audio: StatsEntry = {
  id: "A",
  type: "inbound-rtp",
  kind: "audio",
  packetsReceived: 90,
  packetsLost: 10,
};
const video: StatsEntry = {
  id: "V",
  type: "inbound-rtp",
  kind: "video",
  packetsReceived: 100,
  packetsLost: 0,
  framesPerSecond: 24,
  totalFreezesDuration: 0.5,
};

test("a connection without packets has no rate of loss", () => {
  expect(readStats([], NO_TOTALS).stats).toEqual({
    lossRate: null,
    roundTripMs: null,
    framesPerSecond: null,
    freezeMs: 0,
    isLimited: false,
  });
});

test("sound and picture count together for the loss", () => {
  const { stats } = readStats([audio, video], NO_TOTALS);
  expect(stats.lossRate).toBe(0.05);
  expect(stats.framesPerSecond).toBe(24);
  expect(stats.freezeMs).toBe(500);
});

test("only what has changed since the last time counts", () => {
  const { totals } = readStats([audio, video], NO_TOTALS);
  const later = [
    { ...audio, packetsReceived: 140 },
    { ...video, totalFreezesDuration: 0.75 },
  ];
  const { stats } = readStats(later, totals);
  expect(stats.lossRate).toBe(0);
  expect(stats.freezeMs).toBe(250);
});

test("packets that arrive after they counted as lost make no negative loss", () => {
  const { totals } = readStats([audio], NO_TOTALS);
  expect(readStats([{ ...audio, packetsLost: 4, packetsReceived: 100 }], totals).stats.lossRate).toBe(0);
});

test("the round trip is that of the selected pair", () => {
  const entries: StatsEntry[] = [
    { id: "T", type: "transport", selectedCandidatePairId: "P2" },
    { id: "P1", type: "candidate-pair", nominated: true, state: "succeeded", currentRoundTripTime: 0.9 },
    { id: "P2", type: "candidate-pair", nominated: true, state: "succeeded", currentRoundTripTime: 0.05 },
  ];
  expect(readStats(entries, NO_TOTALS).stats.roundTripMs).toBe(50);
});

test("without an entry for the transport, the nominated pair counts", () => {
  const entries: StatsEntry[] = [
    { id: "P1", type: "candidate-pair", nominated: false, state: "succeeded", currentRoundTripTime: 0.9 },
    { id: "P2", type: "candidate-pair", nominated: true, state: "succeeded", currentRoundTripTime: 0.05 },
  ];
  expect(readStats(entries, NO_TOTALS).stats.roundTripMs).toBe(50);
});

test.each([
  ["cpu", true],
  ["bandwidth", true],
  ["none", false],
  ["other", false],
])("an encoder whose limit is %s is limited: %s", (qualityLimitationReason, isLimited) => {
  const entries = [{ id: "O", type: "outbound-rtp", kind: "video", qualityLimitationReason }];
  expect(readStats(entries, NO_TOTALS).stats.isLimited).toBe(isLimited);
});
