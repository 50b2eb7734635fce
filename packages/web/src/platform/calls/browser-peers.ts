import type {
  Description,
  IceServer,
  MediaTrack,
  PeerConnectionPort,
  PeerHandlers,
  PeerPort,
  PeerState,
  PeerStats,
  PictureLimit,
} from "@parley/core/call-ports";
import { streamOf } from "./browser-media.ts";
import { NO_TOTALS, readStats, type StatsEntry } from "./peer-stats.ts";

type Kind = "audio" | "video";
const KINDS: readonly Kind[] = ["audio", "video"];

const CONFIGURATION: RTCConfiguration = { bundlePolicy: "max-bundle" };
/** Bits per second of speech. */
const AUDIO_BITS = 32_000;
/** Not in the types of TypeScript. Browsers that do not know it change nothing. */
const WHOLE_PICTURE: RTCSetParameterOptions & { encodingOptions: readonly { keyFrame: boolean }[] } = {
  encodingOptions: [{ keyFrame: true }],
};
/** From the connection until the encoders get their limits. */
const TUNE_AFTER_MS = 1_000;
/** A loudness that was not measured again within this time, ms, is over. */
const LEVEL_LIFE_MS = 500;

/** Connections between browsers. */
export const browserPeers: PeerPort = {
  create: (handlers) => new BrowserPeer(handlers),
};

/** The servers as the browser wants them. */
export function rtcServers(servers: readonly IceServer[]): RTCIceServer[] {
  return servers.map(({ urls, username, credential }) => ({
    urls: [...urls],
    ...(username !== null && { username }),
    ...(credential !== null && { credential }),
  }));
}

class BrowserPeer implements PeerConnectionPort {
  readonly stream = new MediaStream();
  readonly #connection: RTCPeerConnection;
  readonly #sent: Record<Kind, MediaStreamTrack | null> = { audio: null, video: null };
  #limit: PictureLimit | null = null;
  #isTuned = false;
  /** Ends with the step that was begun last. */
  #steps: Promise<unknown> = Promise.resolve();
  #offersBeingMade = 0;
  #totals = NO_TOTALS;
  #lastLevel = { timestamp: 0, seenAt: 0 };

  constructor(handlers: PeerHandlers) {
    this.#connection = new RTCPeerConnection(CONFIGURATION);
    this.#connection.addEventListener("icecandidate", ({ candidate }) => {
      // An empty candidate marks the end of some.
      if (candidate !== null && candidate.candidate !== "") handlers.candidate({ ...candidate.toJSON() });
    });
    this.#connection.addEventListener("connectionstatechange", () => {
      if (this.#connection.connectionState === "connected") this.#tuneLater();
      handlers.stateChanged(this.state());
    });
    this.#connection.addEventListener("track", ({ track }) => this.stream.addTrack(track));
  }

  state(): PeerState {
    const state = this.#connection.connectionState;
    return state === "closed" ? "failed" : state;
  }

  setServers(iceServers: readonly IceServer[]): void {
    this.#connection.setConfiguration({
      ...this.#connection.getConfiguration(),
      iceServers: rtcServers(iceServers),
    });
  }

  hasPendingOffer(): boolean {
    return this.#offersBeingMade > 0 || this.#connection.signalingState === "have-local-offer";
  }

  pendingOffer(): Description | null {
    return this.#connection.signalingState === "have-local-offer" ? this.#localDescription() : null;
  }

  async offer({ restart }: { restart: boolean }): Promise<Description> {
    this.#offersBeingMade++;
    try {
      return await this.#inTurn(async () => {
        await this.#prepareToOffer();
        await this.#connection.setLocalDescription(
          restart ? await this.#connection.createOffer({ iceRestart: true }) : undefined,
        );
        return this.#localDescription();
      });
    } finally {
      this.#offersBeingMade--;
    }
  }

  takeDescription(description: Description): Promise<Description | null> {
    return this.#inTurn(async () => {
      if (description.type === "offer") return this.#answer(description);
      // The offer that it answers was dropped for one of the other side.
      if (this.#connection.signalingState !== "have-local-offer") return null;
      await this.#connection.setRemoteDescription(description);
      return null;
    });
  }

  addCandidate(candidate: Record<string, unknown>): Promise<boolean> {
    return this.#inTurn(async () => {
      try {
        await this.#connection.addIceCandidate(candidate);
        return true;
      } catch {
        return false;
      }
    });
  }

  async send(kind: Kind, track: MediaTrack | null): Promise<void> {
    const source = track === null ? null : (streamOf(track).getTracks()[0] ?? null);
    this.#sent[kind] = source;
    if (this.#isClosed()) return;
    await this.#transceiver(kind)?.sender.replaceTrack(source);
    // The size of another picture needs another scale.
    if (kind === "video" && source !== null) void this.#tune();
  }

  async limitVideo(limit: PictureLimit | null): Promise<void> {
    this.#limit = limit;
    await this.#tune();
  }

  async stats(): Promise<PeerStats> {
    const entries: StatsEntry[] = [];
    const report = await this.#connection.getStats();
    report.forEach((entry: StatsEntry) => entries.push(entry));
    const { stats, totals } = readStats(entries, this.#totals);
    this.#totals = totals;
    return stats;
  }

  async sendWholePicture(): Promise<void> {
    await this.#inTurn(async () => {
      const sender = this.#transceiver("video")?.sender;
      if (sender === undefined || this.#isClosed()) return;
      const parameters = sender.getParameters();
      if (encodingOf(parameters) !== undefined) await this.#setParameters(sender, parameters, WHOLE_PICTURE);
    });
  }

  level(): number | null {
    const source = this.#transceiver("audio")?.receiver.getSynchronizationSources()[0];
    if (source === undefined) return null;
    // After the last packet the browser repeats its loudness for ten seconds.
    const now = performance.now();
    if (source.timestamp !== this.#lastLevel.timestamp)
      this.#lastLevel = { timestamp: source.timestamp, seenAt: now };
    return now - this.#lastLevel.seenAt < LEVEL_LIFE_MS ? (source.audioLevel ?? 0) : null;
  }

  close(): void {
    this.#connection.close();
  }

  /** Runs steps that change descriptions one after the other: between the parts of one, no other may begin. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const run = this.#steps.then(step, step);
    this.#steps = run;
    return run;
  }

  async #answer(offer: Description): Promise<Description> {
    // An own pending offer is rolled back by this.
    await this.#connection.setRemoteDescription(offer);
    for (const transceiver of this.#connection.getTransceivers()) {
      // Those of the offer that was rolled back would be offered again.
      if (transceiver.mid === null) transceiver.stop();
    }
    for (const kind of KINDS) {
      const transceiver = this.#transceiver(kind);
      if (transceiver === undefined) continue;
      // Also without a track, so that one can be sent later without a new offer.
      transceiver.direction = "sendrecv";
      await transceiver.sender.replaceTrack(this.#sent[kind]);
    }
    await this.#connection.setLocalDescription();
    return this.#localDescription();
  }

  async #prepareToOffer(): Promise<void> {
    for (const kind of KINDS) {
      if (this.#transceiver(kind) !== undefined) continue;
      const { sender } = this.#connection.addTransceiver(kind, { direction: "sendrecv" });
      await sender.replaceTrack(this.#sent[kind]);
    }
  }

  #localDescription(): Description {
    const description = this.#connection.localDescription;
    if (description === null || (description.type !== "offer" && description.type !== "answer"))
      throw new Error("the connection has no description of this side");
    return { type: description.type, sdp: description.sdp };
  }

  #transceiver(kind: Kind): RTCRtpTransceiver | undefined {
    return this.#connection
      .getTransceivers()
      .find(({ receiver, direction }) => receiver.track.kind === kind && direction !== "stopped");
  }

  #isClosed(): boolean {
    return this.#connection.signalingState === "closed";
  }

  /** The page stands still while encoders are tuned, so the first pictures are shown before it. */
  #tuneLater(): void {
    if (this.#isTuned) return;
    setTimeout(() => {
      this.#isTuned = true;
      void this.#tune();
    }, TUNE_AFTER_MS);
  }

  /** Descriptions do not wait for this. */
  async #tune(): Promise<void> {
    if (this.#isTuned) await this.#inTurn(() => this.#tuneEncoders());
  }

  /** Sets the limits of the encoders. One at a time: the browser refuses parameters that were read before others were set. */
  async #tuneEncoders(): Promise<void> {
    const limit = this.#limit;
    await this.#setEncoding("audio", { maxBitrate: AUDIO_BITS, priority: "high", networkPriority: "high" });
    await this.#setEncoding("video", {
      priority: "low",
      networkPriority: "low",
      ...(limit !== null && {
        maxBitrate: limit.bitsPerSecond,
        maxFramerate: limit.framesPerSecond,
        scaleResolutionDownBy: scaleFor(this.#sent.video, limit.height),
      }),
    });
  }

  async #setEncoding(kind: Kind, values: RTCRtpEncodingParameters): Promise<void> {
    const sender = this.#transceiver(kind)?.sender;
    if (sender === undefined || this.#isClosed()) return;
    const parameters = sender.getParameters();
    const encoding = encodingOf(parameters);
    if (encoding === undefined) return;
    const { maxBitrate: _bits, maxFramerate: _rate, scaleResolutionDownBy: _scale, ...others } = encoding;
    parameters.encodings = [{ ...others, ...values }];
    await this.#setParameters(sender, parameters);
  }

  async #setParameters(
    sender: RTCRtpSender,
    parameters: RTCRtpSendParameters,
    options?: RTCSetParameterOptions,
  ): Promise<void> {
    try {
      await sender.setParameters(parameters, options);
    } catch (error) {
      // A closed connection sends nothing, so it does not matter.
      if (!this.#isClosed()) throw error;
    }
  }
}

/** Undefined in some browsers before the first answer. */
function encodingOf({ encodings }: RTCRtpSendParameters): RTCRtpEncodingParameters | undefined {
  return encodings[0];
}

/** By how much a picture is made smaller. A phone held upright has the height of a picture as its width. */
function scaleFor(track: MediaStreamTrack | null, height: number): number {
  const { width = height, height: own = height } = track?.getSettings() ?? {};
  return Math.max(1, Math.min(width, own) / height);
}
