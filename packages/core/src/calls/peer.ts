import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import type {
  Description,
  IceServer,
  PeerConnectionPort,
  PeerPort,
  PeerState,
  PeerStats,
  StreamData,
} from "../call-ports.ts";
import type { PictureLimit } from "../model/calls/encoder-limits.ts";
import type { RemoteMedia } from "../model/calls/call.ts";
import type { Clock, Log } from "../ports.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import type { LocalMedia } from "./local-media.ts";
import { createSpeechMeter } from "./speech-meter.ts";

/** The connection with one other person in a call. */
export interface Peer {
  readonly stream: StreamData;
  view(): PeerView;
  /** Makes the first offer and sends it. */
  connect(): void;
  /** Sends the first offer and its candidates again: the other side has not got them. */
  resend(): void;
  /** Lets both sides look for new ways, because the connection was lost. */
  restart(): void;
  /** The connection is not made yet: sends again what may be lost, and lets both sides begin again only if that cannot be the reason. */
  repair(): void;
  /** A description of the other side has arrived; `content` is what it sent. */
  takeDescription(type: Description["type"], content: Record<string, unknown>): void;
  takeCandidate(candidate: Record<string, unknown>): void;
  /** The largest picture to send, and what to send instead while that is too much. */
  setLimits(limits: readonly PictureLimit[]): void;
  close(): void;
}

/** What a peer knows of its connection. */
export type PeerView = Pick<RemoteMedia, "isSpeaking" | "quality"> & { readonly state: PeerState };

/** What a peer needs. */
export interface PeerDeps {
  readonly peers: PeerPort;
  readonly clock: Clock;
  readonly log: Log;
  /** The servers of this time: their credentials are read again for each call. */
  iceServers(): Promise<readonly IceServer[]>;
  readonly media: LocalMedia;
  /** If both sides offer at once, the polite one drops its own offer (perfect negotiation). */
  readonly isPolite: boolean;
  /** `isWanted`: whether the other side can still use it. An old description would be taken for part of a newer exchange. */
  sendDescription(description: Description, isWanted: () => boolean): void;
  sendCandidate(candidate: Record<string, unknown>): void;
  onChange(view: PeerView): void;
}

/**
 * Asks the other side to offer with new candidates. Only the impolite side offers again: when both do, the polite one has to take its offer
 * back, and after that Chromium shows nothing that arrives. To clients that do not know this it is the end of the candidates.
 */
const RESTART_REQUEST = { candidate: "", restart: true } as const;

/** How long both sides try to reach each other, once each has the description of the other, before they begin again. A relay over TCP is slow. */
const PATIENCE_MS = 10_000;
/** How often the connection is measured. */
const STATS_MS = 2_000;
/** How long the encoder is limited until the picture becomes smaller, and not limited until it grows. */
const LOWER_AFTER_MS = 10_000;
const RAISE_AFTER_MS = 30_000;

/** Creates a connection; it sends what the local media have. */
export function createPeer(deps: PeerDeps): Peer {
  const { clock, log, isPolite } = deps;
  const timers = createKeyedTimers<"stats">(clock);
  let isClosed = false;
  let state: PeerState = "new";
  let quality: RemoteMedia["quality"] = null;
  /** Whether sound was arriving when it was listened to last; null: none has arrived yet. */
  let hears: boolean | null = null;
  let limits: readonly PictureLimit[] = [];
  let limit: PictureLimit | null = null;
  /** How many of the limits are too much at the moment. */
  let tooMany = 0;
  let load = { isLimited: false, since: clock.now() };
  /** The first offer, and the candidates until the connection was made: they are sent again if the other side has not got them. */
  const offered: { description: Description | null; candidates: Record<string, unknown>[] } = {
    description: null,
    candidates: [],
  };
  /** Candidates that belong to no description that was taken. */
  let early: Record<string, unknown>[] = [];
  /** How many offers were made here, and whether the last one asks for new candidates. */
  let offers = 0;
  let isRestart = false;
  /** The name of the other side's candidates in its last description. */
  let remoteName: string | null = null;
  /** The last offer that was taken, and what it was answered. */
  let answered: { readonly sdp: string; readonly answer: Description } | null = null;
  /** Since when both sides have the description of the other. */
  let agreedAt: number | null = null;
  /** Descriptions are handled one after the other. */
  let queue: Promise<void> = Promise.resolve();

  const connection: PeerConnectionPort = deps.peers.create({
    candidate(candidate) {
      if (isClosed) return;
      if (state === "new" || state === "connecting") offered.candidates.push(candidate);
      deps.sendCandidate(candidate);
    },
    stateChanged(next) {
      if (isClosed || next === state) return;
      state = next;
      if (next === "connected") startMeasuring();
      publish();
    },
  });
  const speech = createSpeechMeter(clock, listen, publish);
  const detach = deps.media.attach(connection);
  enqueue("servers", async () => connection.setServers(await deps.iceServers()));

  function publish(): void {
    deps.onChange(view());
  }

  function view(): PeerView {
    return { state, isSpeaking: speech.isSpeaking(), quality };
  }

  function enqueue(what: string, work: () => Promise<void>): void {
    queue = queue
      .then(() => (isClosed ? undefined : work()))
      .catch((error: unknown) => {
        if (!isClosed) log.warn("a step of a call's connection failed", { what, reason: String(error) });
      });
  }

  function connect(): void {
    enqueue("offer", async () => {
      const description = await makeOffer(false);
      if (isClosed) return;
      offered.description = description;
      sendOffer(description);
    });
  }

  function makeOffer(restart: boolean): Promise<Description> {
    offers++;
    isRestart = restart;
    // Earlier candidates do not belong to the new description.
    if (restart) offered.candidates = [];
    return connection.offer({ restart });
  }

  /** Sends the offer that was made last. */
  function sendOffer(description: Description): void {
    const count = offers;
    deps.sendDescription(description, () => count === offers && connection.hasPendingOffer());
  }

  function sendAnswer(answer: Description): void {
    deps.sendDescription(answer, () => answered?.answer === answer);
  }

  function restart(): void {
    if (isClosed) return;
    if (isPolite) return deps.sendCandidate(RESTART_REQUEST);
    enqueue("restart", async () => {
      // An offer without an answer may be lost. A second one would get the answer to the first.
      const description = connection.pendingOffer() ?? (await makeOffer(true));
      if (!isClosed) sendOffer(description);
    });
  }

  function repair(): void {
    if (isClosed) return;
    enqueue("repair", async () => {
      const offer = connection.pendingOffer();
      const isTrying = state !== "failed" && agreedAt !== null && clock.now() - agreedAt < PATIENCE_MS;
      if (offer === null && !isTrying) return restart();
      if (offer !== null) sendOffer(offer);
      else if (answered !== null) sendAnswer(answered.answer);
      offered.candidates.forEach(deps.sendCandidate);
    });
  }

  async function take(description: Description): Promise<void> {
    if (description.type === "offer" && description.sdp === answered?.sdp) {
      // The other side has not got the answer, and perhaps not its candidates. A new answer would not fit the state of the connection.
      sendAnswer(answered.answer);
      return offered.candidates.forEach(deps.sendCandidate);
    }
    const isPending = connection.hasPendingOffer();
    // Both have offered: the polite side drops its own, and answers. An answer without a pending offer was taken before.
    if (description.type === "offer" ? isPending && !isPolite : !isPending) return;
    const name = candidatesName(description.sdp);
    // The other side got an offer twice and has answered twice: this is not the answer to the pending offer.
    if (description.type === "answer" && isRestart && name !== null && name === remoteName) return;
    const answer = await connection.takeDescription(description);
    if (isClosed) return;
    agreedAt = clock.now();
    remoteName = name;
    if (answer !== null) {
      answered = { sdp: description.sdp, answer };
      sendAnswer(answer);
    }
    // The other candidates belong to an offer that was dropped, or have overtaken their description.
    const isOfThis = ({ usernameFragment }: Record<string, unknown>) =>
      typeof usernameFragment !== "string" || usernameFragment === name;
    const waiting = early.filter(isOfThis);
    early = early.filter((candidate) => !isOfThis(candidate));
    for (const candidate of waiting) await addCandidate(candidate);
  }

  async function addCandidate(candidate: Record<string, unknown>): Promise<void> {
    if (!(await connection.addCandidate(candidate))) early = [...early, candidate].slice(-CALL_SIGNALS_MAX);
  }

  function listen(): number {
    const level = connection.level();
    // After an outage the other side may miss a picture, and its browser asks for a whole one up to three seconds later.
    if (level !== null && hears === false) enqueue("whole picture", () => connection.sendWholePicture());
    if (level !== null || hears !== null) hears = level !== null;
    return level ?? 0;
  }

  function startMeasuring(): void {
    speech.start();
    if (!timers.isSet("stats")) timers.set("stats", STATS_MS, readStats);
  }

  function readStats(): void {
    timers.set("stats", STATS_MS, readStats);
    connection.stats().then(
      (stats) => {
        if (isClosed) return;
        adapt(stats.isLimited);
        const next = qualityOf(stats);
        if (next === quality) return;
        quality = next;
        publish();
      },
      (error: unknown) => log.debug("a call's connection could not be measured", { reason: String(error) }),
    );
  }

  /** Sends a smaller picture when the encoder has not kept up for a while, and a larger one again when it has. */
  function adapt(isLimited: boolean): void {
    const now = clock.now();
    if (isLimited !== load.isLimited) load = { isLimited, since: now };
    if (now - load.since < (isLimited ? LOWER_AFTER_MS : RAISE_AFTER_MS)) return;
    load = { isLimited, since: now };
    tooMany = Math.max(0, Math.min(tooMany + (isLimited ? 1 : -1), limits.length - 1));
    applyLimit();
  }

  function applyLimit(): void {
    const next = limits[Math.min(tooMany, limits.length - 1)] ?? null;
    if (next === limit) return;
    limit = next;
    enqueue("limit", () => connection.limitVideo(next));
  }

  return {
    stream: connection.stream,
    view,
    connect,
    resend() {
      enqueue("resend", async () => {
        if (offered.description === null) return;
        sendOffer(offered.description);
        offered.candidates.forEach(deps.sendCandidate);
      });
    },
    restart,
    repair,
    takeDescription(type, content) {
      const { sdp } = content;
      if (typeof sdp === "string") enqueue(type, () => take({ type, sdp }));
    },
    takeCandidate(candidate) {
      if (candidate["restart"] !== true) enqueue("candidate", () => addCandidate(candidate));
      else if (!isPolite) restart();
    },
    setLimits(next) {
      limits = next;
      applyLimit();
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      timers.cancelAll();
      speech.stop();
      detach();
      connection.close();
    },
  };
}

/** Which candidates belong to a description. Each restart gives them a new name. */
function candidatesName(sdp: string): string | null {
  return /^a=ice-ufrag:(.+?)\r?$/m.exec(sdp)?.[1] ?? null;
}

/** Packets lost, a slow answer or a picture that stands still make a connection worse. */
function qualityOf({ lossRate, roundTripMs, freezeMs }: PeerStats): RemoteMedia["quality"] {
  if (lossRate === null && roundTripMs === null) return null;
  const loss = lossRate ?? 0;
  const delay = roundTripMs ?? 0;
  if (loss > 0.1 || delay > 800 || freezeMs > 1_000) return "poor";
  return loss > 0.03 || delay > 300 || freezeMs > 200 ? "fair" : "good";
}
