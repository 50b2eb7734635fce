import type { PeerStats } from "@parley/core/call-ports";

/** One object of the browser's statistics. Each type has some of these values. */
export interface StatsEntry {
  readonly id: string;
  readonly type: string;
  readonly kind?: string;
  readonly packetsReceived?: number;
  readonly packetsLost?: number;
  readonly framesPerSecond?: number;
  /** Seconds. */
  readonly totalFreezesDuration?: number;
  readonly qualityLimitationReason?: string;
  readonly selectedCandidatePairId?: string;
  readonly nominated?: boolean;
  readonly state?: string;
  /** Seconds. */
  readonly currentRoundTripTime?: number;
}

/** The counts since the connection began. */
export interface StatsTotals {
  readonly received: number;
  readonly lost: number;
  readonly freezeSeconds: number;
}

/** The totals of a new connection. */
export const NO_TOTALS: StatsTotals = { received: 0, lost: 0, freezeSeconds: 0 };

/** Reads what has changed since `before`, and returns the totals for the next time. */
export function readStats(
  entries: readonly StatsEntry[],
  before: StatsTotals,
): { stats: PeerStats; totals: StatsTotals } {
  const inbound = entries.filter(({ type }) => type === "inbound-rtp");
  const totals: StatsTotals = {
    received: sum(inbound, ({ packetsReceived }) => packetsReceived),
    lost: sum(inbound, ({ packetsLost }) => packetsLost),
    freezeSeconds: sum(inbound, ({ totalFreezesDuration }) => totalFreezesDuration),
  };
  const received = since(totals.received, before.received);
  // Packets that come late after all reduce the number of lost ones.
  const lost = since(totals.lost, before.lost);
  const rtt = currentPair(entries)?.currentRoundTripTime;
  const video = inbound.find(
    ({ kind, framesPerSecond }) => kind === "video" && framesPerSecond !== undefined,
  );
  const stats: PeerStats = {
    lossRate: received + lost === 0 ? null : lost / (received + lost),
    roundTripMs: rtt === undefined ? null : rtt * 1_000,
    framesPerSecond: video?.framesPerSecond ?? null,
    freezeMs: since(totals.freezeSeconds, before.freezeSeconds) * 1_000,
    isLimited: entries.some(
      ({ type, qualityLimitationReason: reason }) =>
        type === "outbound-rtp" && (reason === "cpu" || reason === "bandwidth"),
    ),
  };
  return { stats, totals };
}

/** The pair of addresses in use. */
function currentPair(entries: readonly StatsEntry[]): StatsEntry | undefined {
  const selected = entries.find(({ type }) => type === "transport")?.selectedCandidatePairId;
  // Firefox has no entry for the transport.
  return entries.find(
    ({ id, type, nominated, state }) =>
      type === "candidate-pair" &&
      (selected === undefined ? nominated === true && state === "succeeded" : id === selected),
  );
}

function since(total: number, before: number): number {
  return Math.max(0, total - before);
}

function sum(entries: readonly StatsEntry[], value: (entry: StatsEntry) => number | undefined): number {
  return entries.reduce((total, entry) => total + (value(entry) ?? 0), 0);
}
