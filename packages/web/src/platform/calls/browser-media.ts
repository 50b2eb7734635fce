import type {
  MediaDevice,
  MediaPort,
  MediaTrack,
  OpenedTrack,
  SoundProcessing,
} from "@parley/core/call-ports";
import { deviceProblem, screenProblem } from "./device-problem.ts";

/** Without a device that plays nothing; browsers that do not know this open one. */
const NO_OUTPUT = { sinkId: { type: "none" } } as AudioContextOptions;
/** Samples of one level: 43 ms at 48 kHz. */
const LEVEL_SAMPLES = 2_048;
/** Each picture is encoded once for each person, in a smaller size if there are many; the device is never opened again for that. */
const CAMERA = { width: { ideal: 1_280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
const SCREEN = { width: { max: 1_280 }, frameRate: { max: 15 } };

/** The devices of this computer. */
export function browserMedia(): MediaPort {
  return {
    support() {
      // A page that is not secure has `RTCPeerConnection`, but no devices.
      if (!isSecureContext) return "insecure";
      return devicesOfBrowser() !== undefined && "RTCPeerConnection" in globalThis ? "ok" : "unsupported";
    },
    openMicrophone: (deviceId, processing) => openDevice("audio", deviceId, soundConstraints(processing)),
    openCamera: (deviceId) => openDevice("video", deviceId, CAMERA),
    openScreen,
    async devices() {
      try {
        return ((await devicesOfBrowser()?.enumerateDevices()) ?? []).map(deviceOf);
      } catch {
        // A policy of the page forbids to list them: it can use none either.
        return [];
      }
    },
  };
}

/** Undefined in a page that is not secure. */
function devicesOfBrowser(): MediaDevices | undefined {
  return navigator.mediaDevices;
}

/** Speech needs one channel. */
function soundConstraints({ echoCancellation, noiseSuppression }: SoundProcessing): MediaTrackConstraints {
  return { channelCount: { ideal: 1 }, echoCancellation, noiseSuppression, autoGainControl: true };
}

async function openDevice(
  kind: "audio" | "video",
  deviceId: string | null,
  constraints: MediaTrackConstraints,
): Promise<OpenedTrack> {
  const devices = devicesOfBrowser();
  if (devices === undefined) return { ok: false, problem: isSecureContext ? "missing" : "insecure" };
  const open = async (wanted: MediaTrackConstraints) =>
    opened(await devices.getUserMedia({ [kind]: wanted }), kind);
  try {
    // Before the person has allowed a device, browsers list it with an empty id.
    if (deviceId === null || deviceId === "") return await open(constraints);
    try {
      return await open({ ...constraints, deviceId: { exact: deviceId } });
    } catch (error) {
      // The device is gone. Browsers differ in how they say it.
      if (deviceProblem(error) !== "missing") throw error;
      return await open(constraints);
    }
  } catch (error) {
    return { ok: false, problem: deviceProblem(error) };
  }
}

async function openScreen(): Promise<OpenedTrack> {
  const devices = devicesOfBrowser();
  if (devices === undefined) return { ok: false, problem: isSecureContext ? "missing" : "insecure" };
  // Browsers of phones share no screen.
  if (!("getDisplayMedia" in devices)) return { ok: false, problem: "missing" };
  try {
    const screen = opened(await devices.getDisplayMedia({ video: SCREEN, audio: false }), "video");
    // Text stays sharp, and the number of pictures is reduced instead.
    for (const source of streamOf(screen.track).getTracks()) source.contentHint = "detail";
    return screen;
  } catch (error) {
    return { ok: false, problem: screenProblem(error) };
  }
}

function opened(stream: MediaStream, kind: "audio" | "video"): Extract<OpenedTrack, { ok: true }> {
  const [source] = stream.getTracks();
  if (source === undefined) throw new DOMException("no track was given", "NotFoundError");
  return { ok: true, track: new BrowserTrack(kind, source, stream) };
}

const KINDS = { audioinput: "microphone", videoinput: "camera", audiooutput: "speaker" } as const;

function deviceOf({ kind, deviceId, label }: MediaDeviceInfo): MediaDevice {
  return { kind: KINDS[kind], id: deviceId, label };
}

/** The stream of a track, as the browser's type. */
export function streamOf({ stream }: MediaTrack): MediaStream {
  if (!(stream instanceof MediaStream)) throw new TypeError("the track is not one of this browser");
  return stream;
}

class BrowserTrack implements MediaTrack {
  readonly kind: "audio" | "video";
  readonly deviceId: string;
  readonly stream: MediaStream;
  readonly #source: MediaStreamTrack;
  #meter: Meter | null = null;
  #isStopped = false;

  constructor(kind: "audio" | "video", source: MediaStreamTrack, stream: MediaStream) {
    this.kind = kind;
    this.stream = stream;
    const { deviceId = "", displaySurface } = source.getSettings();
    this.deviceId = displaySurface === undefined ? deviceId : "";
    this.#source = source;
  }

  limitRate(framesPerSecond: number): void {
    const frameRate = { ideal: framesPerSecond, max: framesPerSecond };
    // A camera that cannot be slower goes on as it is; the encoders have limits of their own.
    this.#source.applyConstraints({ ...this.#source.getConstraints(), frameRate }).catch(() => undefined);
  }

  setEnabled(isEnabled: boolean): void {
    this.#source.enabled = isEnabled;
  }

  stop(): void {
    this.#isStopped = true;
    this.#source.stop();
    this.#closeMeter();
  }

  onEnded(listener: () => void): void {
    const end = () => {
      if (this.#isStopped) return;
      this.#closeMeter();
      listener();
    };
    // It may be gone already, and then the browser does not tell.
    if (this.#source.readyState === "ended") queueMicrotask(end);
    else this.#source.addEventListener("ended", end, { once: true });
  }

  level(): number {
    if (this.kind === "video" || this.#source.readyState === "ended") return 0;
    this.#meter ??= createMeter(this.#source);
    return this.#meter.level();
  }

  #closeMeter(): void {
    this.#meter?.close();
    this.#meter = null;
  }
}

interface Meter {
  level(): number;
  close(): void;
}

/**
 * Measures the loudness of a microphone: the root mean square, as browsers measure what arrives. It is never played, which would echo. A copy
 * of the track is measured, because a muted one is silent.
 */
function createMeter(source: MediaStreamTrack): Meter {
  const copy = source.clone();
  copy.enabled = true;
  const context = new AudioContext(NO_OUTPUT);
  const analyser = context.createAnalyser();
  analyser.fftSize = LEVEL_SAMPLES;
  context.createMediaStreamSource(new MediaStream([copy])).connect(analyser);
  const samples = new Float32Array(LEVEL_SAMPLES);
  return {
    level() {
      // Without a gesture in the page it may be created suspended, and a telephone call interrupts it: then it hears nothing until it resumes.
      // Where it is refused, the next measurement asks again, and until then nothing is heard.
      if (context.state !== "running") context.resume().catch(() => undefined);
      analyser.getFloatTimeDomainData(samples);
      let sum = 0;
      for (const sample of samples) sum += sample * sample;
      return Math.min(1, Math.sqrt(sum / LEVEL_SAMPLES));
    },
    close() {
      copy.stop();
      void context.close();
    },
  };
}
