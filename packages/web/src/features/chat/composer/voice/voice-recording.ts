import { levelOf, voiceFormat, type VoiceFormat, waveOf } from "./voice-file.ts";

/** Why a recording cannot begin. */
export type VoiceProblem = "refused" | "noDevice" | "busy" | "insecure" | "unsupported";

/** What was recorded. */
export interface Voice {
  readonly file: Blob;
  readonly format: VoiceFormat;
  /** Seconds. */
  readonly duration: number;
  /** See `audioContent.wave`. */
  readonly wave: string;
}

/** How often the level is measured, ms. */
const LEVEL_MS = 50;
/** Enough for speech; 300 s are 1.2 MB. */
const BITS_PER_SECOND = 32_000;
/** The samples of one level: 43 ms at 48 kHz, so that no sound falls between two. */
const LEVEL_SAMPLES = 2_048;

interface VoiceRecordingOptions {
  /** A recording is over after this time, ms. */
  readonly maxMs: number;
  /** Called when a recording ends by itself: it reached its greatest length (`isFull`), or the microphone is gone. */
  readonly onEnd: (voice: Voice | null, isFull: boolean) => void;
}

/** A running recording. However it ends, the microphone is released. */
export interface VoiceRecording {
  /** The person had to answer the browser's question for permission first. */
  readonly wasAsked: boolean;
  /** The levels until now, 0 to 1, one for each 50 ms. */
  readonly levels: readonly number[];
  /** How long it runs, ms. */
  elapsed(): number;
  /** Ends it; null if nothing was recorded. */
  stop(): Promise<Voice | null>;
  /** Ends it and drops what was recorded. */
  cancel(): void;
}

/**
 * Starts to record; the browser asks for permission. `isWanted` is asked when it has answered: a recording that was given up by then
 * does not begin (null).
 */
export async function startRecording(
  options: VoiceRecordingOptions,
  isWanted: () => boolean,
): Promise<VoiceRecording | VoiceProblem | null> {
  // Browsers give the microphone to pages loaded over https only.
  if (!window.isSecureContext || !("mediaDevices" in navigator)) return "insecure";
  const format =
    "MediaRecorder" in window ? voiceFormat((type) => MediaRecorder.isTypeSupported(type)) : null;
  if (format === null) return "unsupported";
  const wasAllowed = isAllowed();
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (error) {
    return problemOf(error);
  }
  if (!isWanted()) {
    release(stream);
    return null;
  }
  const wasAsked = !(await wasAllowed);
  try {
    return { ...record(stream, format, options), wasAsked };
  } catch (error) {
    release(stream);
    return problemOf(error);
  }
}

/** Whether the browser gives the microphone without a question. False if it does not tell. */
async function isAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: "microphone" })).state === "granted";
  } catch {
    return false;
  }
}

function problemOf(error: unknown): VoiceProblem {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "refused";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "noDevice" : "busy";
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function record(
  stream: MediaStream,
  format: VoiceFormat,
  options: VoiceRecordingOptions,
): Omit<VoiceRecording, "wasAsked"> {
  const recorder = new MediaRecorder(stream, {
    mimeType: format.recorderType,
    audioBitsPerSecond: BITS_PER_SECOND,
  });
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = LEVEL_SAMPLES;
  context.createMediaStreamSource(stream).connect(analyser);
  // Some browsers create it suspended; without it the recording has no bars, but is one.
  context.resume().catch(() => undefined);

  const levels: number[] = [];
  const samples = new Float32Array(LEVEL_SAMPLES);
  const chunks: Blob[] = [];
  const startedAt = performance.now();
  let endedAt: number | null = null;
  let isCancelled = false;
  // A busy page ends it a little later than its greatest length.
  const elapsed = () => Math.min(options.maxMs, (endedAt ?? performance.now()) - startedAt);

  const finished = new Promise<Voice | null>((resolve) => {
    recorder.addEventListener("dataavailable", ({ data }) => chunks.push(data));
    recorder.addEventListener("stop", () => {
      const file = new Blob(chunks, { type: format.mimeType });
      const duration = elapsed() / 1_000;
      resolve(
        isCancelled || file.size === 0 ? null : { file, format, duration, wave: waveOf(levels, duration) },
      );
    });
  });

  const end = () => {
    if (endedAt !== null) return;
    endedAt = performance.now();
    window.clearInterval(meter);
    window.clearTimeout(limit);
    window.removeEventListener("pagehide", abandon);
    // The recorder has what was heard until now and gives it out after this.
    if (recorder.state !== "inactive") recorder.stop();
    release(stream);
    context.close().catch(() => undefined);
  };
  const cancel = () => {
    isCancelled = true;
    end();
  };
  const endByItself = (isFull: boolean) => {
    if (endedAt !== null) return;
    end();
    void finished.then((voice) => options.onEnd(voice, isFull));
  };
  const lose = () => endByItself(false);
  const abandon = () => {
    isCancelled = true;
    lose();
  };

  const meter = window.setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    levels.push(levelOf(samples));
  }, LEVEL_MS);
  const limit = window.setTimeout(() => endByItself(true), options.maxMs);
  // A page that is kept for "back" would go on recording.
  window.addEventListener("pagehide", abandon);
  for (const track of stream.getAudioTracks()) track.addEventListener("ended", lose);
  recorder.addEventListener("error", lose);
  recorder.start();

  return {
    levels,
    elapsed,
    async stop() {
      end();
      return finished;
    },
    cancel,
  };
}
