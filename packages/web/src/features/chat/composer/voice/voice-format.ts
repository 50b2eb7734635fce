/** A format in which voice is recorded. */
export interface VoiceFormat {
  /** With its codec, for the recorder. */
  readonly recorderType: string;
  /** Without it, for the message. */
  readonly mimeType: string;
  readonly extension: string;
}

/** Opus first: it needs the fewest bytes. Safari records AAC. */
const FORMATS: readonly VoiceFormat[] = [
  { recorderType: "audio/webm;codecs=opus", mimeType: "audio/webm", extension: "webm" },
  { recorderType: "audio/ogg;codecs=opus", mimeType: "audio/ogg", extension: "ogg" },
  { recorderType: "audio/mp4", mimeType: "audio/mp4", extension: "m4a" },
];

/** The first format that this browser records, or null. */
export function voiceFormat(isSupported: (recorderType: string) => boolean): VoiceFormat | null {
  return FORMATS.find(({ recorderType }) => isSupported(recorderType)) ?? null;
}
