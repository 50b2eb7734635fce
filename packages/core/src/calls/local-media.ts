import type {
  MediaDevice,
  MediaPort,
  MediaTrack,
  OpenedTrack,
  PeerConnectionPort,
  SoundProcessing,
  StreamData,
} from "../call-ports.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import { type DeviceProblem, type DeviceState, type LocalDevices, NO_DEVICES } from "../model/calls/call.ts";
import type { Clock, Log } from "../ports.ts";
import type { DeviceChoices } from "./device-choices.ts";
import { createSpeechMeter } from "./speech-meter.ts";

/** Microphone, camera and screen of one call. Each connection that is attached sends them. */
export interface LocalMedia {
  /** Opens the microphone, and the camera if wanted. Resolves with why the microphone could not be opened; null: it is open. */
  open(withCamera: boolean): Promise<DeviceProblem | null>;
  setMicrophone(isOn: boolean): void;
  setCamera(isOn: boolean): void;
  setScreen(isOn: boolean): void;
  /** The most pictures a second that the camera has to deliver: pictures that nobody gets need not be made or shown here. */
  setCameraRate(framesPerSecond: number): void;
  /** Another device or other processing was chosen: uses it at once. */
  reopen(kind: MediaDevice["kind"]): void;
  view(): LocalDevices;
  /** The picture that is sent: the screen, else the camera. */
  picture(): StreamData | null;
  /** Gives a connection the current tracks and all later ones. Returns a function that ends this. */
  attach(connection: PeerConnectionPort): () => void;
  /** Closes all devices. Nothing is opened afterwards. */
  close(): void;
}

/** What the local media need. */
export interface LocalMediaDeps {
  readonly media: MediaPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly choices: DeviceChoices;
  onChange(view: LocalDevices): void;
}

/** The time that a black picture needs to reach the others, before the camera is closed. */
const BLACK_MS = 120;

type Source = "microphone" | "camera" | "screen";

/** Creates the media of one call; no device is open. */
export function createLocalMedia({ media, clock, log, choices, onChange }: LocalMediaDeps): LocalMedia {
  const connections = new Set<PeerConnectionPort>();
  const tracks = new Map<Source, MediaTrack>();
  const timers = createKeyedTimers<"camera">(clock);
  /** What the person wants; a device that opens too late is closed again. */
  const wanted = { microphone: false, camera: false, screen: false };
  /** For each device, the attempt to turn it on that was begun last. */
  const attempts = new Map<Source, Promise<OpenedTrack>>();
  /** For each device that is being replaced, the attempt that was begun last. */
  const replacements = new Map<Source, object>();
  /** Tracks that ended while they were being replaced. */
  const ended = new WeakSet<MediaTrack>();
  /** A microphone that takes the place of another one is as muted as that. */
  let isMuted = false;
  let cameraRate = Infinity;
  let view: LocalDevices = NO_DEVICES;
  let isClosed = false;
  const speech = createSpeechMeter(
    clock,
    () => tracks.get("microphone")?.level() ?? 0,
    () => show({ isSpeaking: speech.isSpeaking() }),
  );

  function show(part: Partial<LocalDevices>): void {
    if (isClosed) return;
    view = { ...view, ...part };
    onChange(view);
  }

  const sent = (kind: "audio" | "video") =>
    (kind === "audio" ? tracks.get("microphone") : (tracks.get("screen") ?? tracks.get("camera"))) ?? null;

  function sendTo(connection: PeerConnectionPort, kind: "audio" | "video"): void {
    connection.send(kind, sent(kind)).catch((error: unknown) => {
      log.warn("a track of a call could not be sent", { kind, reason: String(error) });
    });
  }

  function sendToAll(kind: "audio" | "video"): void {
    for (const connection of connections) sendTo(connection, kind);
    if (kind === "video") show({ pictureVersion: view.pictureVersion + 1 });
  }

  function stateOf(source: Source, state: DeviceState): Partial<LocalDevices> {
    if (source === "screen") return { screen: state.kind === "failed" ? "off" : state.kind };
    return { [source]: state };
  }

  function openDevice(source: Source): Promise<OpenedTrack> {
    switch (source) {
      case "microphone":
        return media.openMicrophone(choices.chosen("microphone"), choices.processing());
      case "camera":
        return media.openCamera(choices.chosen("camera"));
      case "screen":
        return media.openScreen();
      default:
        return source satisfies never;
    }
  }

  /** Resolves with the result of the newest attempt: the person may ask again, or choose another device, while the device opens. */
  async function turnOn(source: Source): Promise<DeviceProblem | null> {
    wanted[source] = true;
    if (tracks.has(source)) return null;
    show(stateOf(source, { kind: "opening" }));
    const attempt = openDevice(source);
    attempts.set(source, attempt);
    const opened = await attempt;
    const last = attempts.get(source) ?? attempt;
    if (last !== attempt || isClosed || !wanted[source] || tracks.has(source)) {
      if (opened.ok) opened.track.stop();
      return problemOf(await last);
    }
    if (opened.ok) use(source, opened.track);
    else {
      wanted[source] = false;
      const { problem } = opened;
      show(stateOf(source, problem === "cancelled" ? { kind: "off" } : { kind: "failed", problem }));
    }
    return problemOf(opened);
  }

  function use(source: Source, track: MediaTrack): void {
    const isSilent = source === "microphone" && isMuted;
    track.setEnabled(!isSilent);
    tracks.set(source, track);
    if (source === "camera") limitRate(track);
    track.onEnded(() => lost(source, track));
    show(stateOf(source, { kind: isSilent ? "off" : "on" }));
    if (source === "microphone") speech.start();
    sendToAll(source === "microphone" ? "audio" : "video");
  }

  function limitRate(camera: MediaTrack | undefined): void {
    if (cameraRate < Infinity) camera?.limitRate(cameraRate);
  }

  /** The device is gone: unplugged, or sharing was ended. Another microphone or camera takes its place. */
  function lost(source: Source, track: MediaTrack): void {
    if (isClosed || tracks.get(source) !== track) return;
    // Safari ends what is open as soon as another device of the same kind opens.
    if (replacements.has(source)) return void ended.add(track);
    // A camera that is being turned off stays off.
    const isWanted = source !== "screen" && wanted[source];
    tracks.delete(source);
    wanted[source] = false;
    show(stateOf(source, { kind: "off" }));
    sendToAll(source === "microphone" ? "audio" : "video");
    if (isWanted) void turnOn(source);
  }

  function turnOff(source: "camera" | "screen"): void {
    wanted[source] = false;
    const track = tracks.get(source);
    show(stateOf(source, { kind: "off" }));
    if (track === undefined) return;
    if (source === "screen") return closePicture(source, track);
    // The others would keep the last picture on their screens; so a black one goes out first.
    track.setEnabled(false);
    timers.set("camera", BLACK_MS, () => closePicture(source, track));
  }

  function closePicture(source: "camera" | "screen", track: MediaTrack): void {
    if (tracks.get(source) !== track) return;
    tracks.delete(source);
    sendToAll("video");
    track.stop();
  }

  async function replace(source: "microphone" | "camera"): Promise<void> {
    const old = tracks.get(source);
    if (old === undefined) {
      // Try the chosen device if another one has failed or is still opening.
      if (view[source].kind === "failed" || view[source].kind === "opening") void turnOn(source);
      return;
    }
    const attempt = {};
    replacements.set(source, attempt);
    const opened = await openDevice(source);
    const isLast = replacements.get(source) === attempt;
    if (isLast) replacements.delete(source);
    const isUseful = isLast && !isClosed && wanted[source] && tracks.get(source) === old;
    if (!isUseful) return opened.ok ? opened.track.stop() : undefined;
    if (opened.ok) {
      use(source, opened.track);
      return old.stop();
    }
    if (ended.has(old)) return lost(source, old);
    // Stop the former device as well: the person reads that there is none.
    tracks.delete(source);
    wanted[source] = false;
    show(stateOf(source, { kind: "failed", problem: knownProblem(opened.problem) }));
    sendToAll(source === "microphone" ? "audio" : "video");
    old.stop();
  }

  function setMicrophone(isOn: boolean): void {
    isMuted = !isOn;
    const track = tracks.get("microphone");
    if (track === undefined) {
      if (isOn) void turnOn("microphone");
      return;
    }
    track.setEnabled(isOn);
    show(stateOf("microphone", { kind: isOn ? "on" : "off" }));
  }

  function setCamera(isOn: boolean): void {
    if (!isOn) return turnOff("camera");
    const closing = timers.isSet("camera") ? tracks.get("camera") : undefined;
    timers.cancel("camera");
    if (closing === undefined) return void turnOn("camera");
    wanted.camera = true;
    closing.setEnabled(true);
    show(stateOf("camera", { kind: "on" }));
  }

  return {
    async open(withCamera) {
      const [problem] = await Promise.all([turnOn("microphone"), withCamera ? turnOn("camera") : null]);
      return problem;
    },
    setMicrophone,
    setCamera,
    setCameraRate(framesPerSecond) {
      if (framesPerSecond === cameraRate) return;
      cameraRate = framesPerSecond;
      limitRate(tracks.get("camera"));
    },
    setScreen: (isOn) => (isOn ? void turnOn("screen") : turnOff("screen")),
    reopen: (kind) => kind !== "speaker" && void replace(kind),
    view: () => view,
    picture: () => sent("video")?.stream ?? null,
    attach(connection) {
      connections.add(connection);
      sendTo(connection, "audio");
      sendTo(connection, "video");
      return () => connections.delete(connection);
    },
    close() {
      isClosed = true;
      timers.cancelAll();
      speech.stop();
      for (const track of tracks.values()) track.stop();
      tracks.clear();
      connections.clear();
    },
  };
}

/** Why a device could not be opened; null if it is open, or was no longer wanted. */
function problemOf(opened: OpenedTrack): DeviceProblem | null {
  return opened.ok || opened.problem === "cancelled" ? null : opened.problem;
}

function knownProblem(problem: DeviceProblem | "cancelled"): DeviceProblem {
  return problem === "cancelled" ? "unknown" : problem;
}

/** The processing of a microphone that nobody has changed. */
export const DEFAULT_PROCESSING: SoundProcessing = { noiseSuppression: true, echoCancellation: true };
