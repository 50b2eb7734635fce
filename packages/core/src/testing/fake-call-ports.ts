import type {
  CallPorts,
  Description,
  IceServer,
  MediaDevice,
  MediaTrack,
  OpenedTrack,
  PeerConnectionPort,
  PeerHandlers,
  PeerState,
  PeerStats,
} from "../call-ports.ts";
import type { PictureLimit } from "../model/calls/encoder-limits.ts";
import type { DeviceProblem } from "../model/calls/call.ts";
import type { Clock } from "../ports.ts";

/** A track that a test can end. */
export interface FakeTrack extends MediaTrack {
  readonly name: string;
  isEnabled: boolean;
  isStopped: boolean;
  loudness: number;
  rate: number | null;
  /** The device is gone. */
  end(): void;
}

/** A connection that does what a test says. */
export interface FakeConnection extends PeerConnectionPort {
  /** What happened to it, in order. */
  readonly log: string[];
  readonly sent: Record<"audio" | "video", MediaTrack | null>;
  limit: PictureLimit | null;
  servers: readonly IceServer[] | null;
  loudness: number | null;
  measured: PeerStats;
  isClosed: boolean;
  change(state: PeerState): void;
  gather(candidate: Record<string, unknown>): void;
}

/** The call ports of a client, controlled by a test. */
export interface FakeCallPorts extends CallPorts {
  readonly tracks: FakeTrack[];
  readonly connections: FakeConnection[];
  /** Ringtones that sound. */
  readonly ringing: string[];
  /** Why the next devices cannot be opened. */
  readonly problems: Partial<Record<"microphone" | "camera" | "screen", DeviceProblem | "cancelled">>;
  plugged: readonly MediaDevice[];
  support: "ok" | "insecure" | "unsupported";
}

const NOT_MEASURED: PeerStats = {
  lossRate: null,
  roundTripMs: null,
  framesPerSecond: null,
  freezeMs: 0,
  isLimited: false,
};

/** Creates call ports whose clock is that of the client. */
export function createFakeCallPorts(clock: Clock): FakeCallPorts {
  const ringing: string[] = [];
  const tracks: FakeTrack[] = [];
  const connections: FakeConnection[] = [];

  async function open(
    source: "microphone" | "camera" | "screen",
    deviceId: string | null,
  ): Promise<OpenedTrack> {
    const problem = ports.problems[source];
    if (problem !== undefined) return { ok: false, problem };
    const track = fakeTrack(source, deviceId ?? "default");
    tracks.push(track);
    return { ok: true, track };
  }

  const ports: FakeCallPorts = {
    tracks,
    connections,
    ringing,
    problems: {},
    plugged: [],
    support: "ok",
    uptime: () => clock.now(),
    ringtones: {
      start(which) {
        ringing.push(which);
        return () => void ringing.splice(ringing.indexOf(which), 1);
      },
    },
    media: {
      support: () => ports.support,
      openMicrophone: (deviceId) => open("microphone", deviceId),
      openCamera: (deviceId) => open("camera", deviceId),
      openScreen: () => open("screen", null),
      devices: async () => ports.plugged,
    },
    peers: {
      create(handlers) {
        const connection = fakeConnection(`peer${connections.length + 1}`, handlers);
        connections.push(connection);
        return connection;
      },
    },
  };
  return ports;
}

function fakeTrack(source: "microphone" | "camera" | "screen", deviceId: string): FakeTrack {
  const listeners: (() => void)[] = [];
  const track: FakeTrack = {
    name: source,
    kind: source === "microphone" ? "audio" : "video",
    deviceId,
    stream: {},
    isEnabled: true,
    isStopped: false,
    loudness: 0,
    rate: null,
    limitRate: (framesPerSecond) => void (track.rate = framesPerSecond),
    setEnabled: (isEnabled) => void (track.isEnabled = isEnabled),
    stop: () => void (track.isStopped = true),
    onEnded: (listener) => void listeners.push(listener),
    level: () => track.loudness,
    end: () => track.isStopped || listeners.forEach((listener) => listener()),
  };
  return track;
}

function fakeConnection(name: string, handlers: PeerHandlers): FakeConnection {
  let state: PeerState = "new";
  let offers = 0;
  let hasPendingOffer = false;
  let hasRemote = false;
  const connection: FakeConnection = {
    stream: {},
    log: [],
    sent: { audio: null, video: null },
    limit: null,
    servers: null,
    loudness: 0,
    measured: NOT_MEASURED,
    isClosed: false,
    state: () => state,
    setServers: (servers) => void (connection.servers = servers),
    hasPendingOffer: () => hasPendingOffer,
    pendingOffer: () => (hasPendingOffer ? { type: "offer", sdp: `${name} offer ${offers}` } : null),
    async offer({ restart }): Promise<Description> {
      hasPendingOffer = true;
      connection.log.push(restart ? "restart" : "offer");
      return { type: "offer", sdp: `${name} offer ${++offers}` };
    },
    async takeDescription({ type, sdp }) {
      connection.log.push(`takes ${sdp}`);
      hasRemote = true;
      hasPendingOffer = false;
      return type === "offer" ? { type: "answer", sdp: `${name} answers ${sdp}` } : null;
    },
    async addCandidate(candidate) {
      if (hasRemote) connection.log.push(`candidate ${String(candidate["candidate"])}`);
      return hasRemote;
    },
    async send(kind, track) {
      connection.sent[kind] = track;
    },
    async limitVideo(limit) {
      connection.limit = limit;
    },
    async sendWholePicture() {
      connection.log.push("whole picture");
    },
    stats: async () => connection.measured,
    level: () => connection.loudness,
    close: () => void (connection.isClosed = true),
    change(next) {
      state = next;
      handlers.stateChanged(next);
    },
    gather: (candidate) => handlers.candidate(candidate),
  };
  return connection;
}
