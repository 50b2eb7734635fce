import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { currentText, useText } from "../../../../kit/i18n/i18n.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { claimSound, releaseSound } from "../../message/media/sound-focus.ts";
import { announce } from "../../../../kit/dialogs/announcement.tsx";
import { useTellRecording } from "../use-tell-typing.ts";
import type { VoicePress } from "./use-voice-press.ts";
import { isLongEnough, VOICE_MAX_S, voiceFileName } from "./voice-file.ts";
import { startRecording, type Voice, type VoiceRecording } from "./voice-recording.ts";
import { LiveRecorder, VoicePreview } from "./voice-rows.tsx";

interface VoiceRecorderProps {
  chatKey: ChatKey;
  press: VoicePress;
  /** How far the finger has slid to cancel, px. */
  slide: number;
  onSent: () => void;
  /** The recording is over, however it ended. */
  onDone: () => void;
}

type Phase =
  | { readonly kind: "starting" }
  /** `isHeld`: it began under a finger, which ends it. */
  | { readonly kind: "recording"; readonly recording: VoiceRecording; readonly isHeld: boolean }
  | { readonly kind: "preview"; readonly voice: Voice };

type StartedRecording = Awaited<ReturnType<typeof startRecording>>;

const silence = () => undefined;

/**
 * Records a voice message in place of the field. A finger that lets go sends it; a recording that was begun by a click can be heard before
 * it is sent. It belongs to the chat in which it began: leaving that chat discards it, unless it is being sent.
 */
export function VoiceRecorder({ chatKey, press, slide, onSent, onDone }: VoiceRecorderProps) {
  const t = useText();
  const client = useClient();
  const [phase, setPhase] = useState<Phase>({ kind: "starting" });
  /** Nothing more is to come: what ends later has no effect. */
  const isOver = useRef(false);
  /** The person wants it sent. The recorder gives its last sounds a moment later, and the chat may be left by then. */
  const isSending = useRef(false);
  const isShown = useRef(true);

  const end = (sentence: string | null) => {
    if (isOver.current) return;
    isOver.current = true;
    if (sentence !== null) toasts.info(sentence);
    if (isShown.current) onDone();
  };
  const cancel = () => {
    if (phase.kind === "recording") phase.recording.cancel();
    announce(t("voice.cancelled"));
    end(null);
  };
  const send = (voice: Voice) => {
    client.chats.sendFiles(chatKey, [fileOfVoice(voice)]);
    announce(t("voice.sent"));
    if (isShown.current) onSent();
    end(null);
  };
  const stop = async (recording: VoiceRecording, next: "send" | "preview") => {
    isSending.current = next === "send";
    const voice = await recording.stop();
    if (isOver.current) return;
    if (voice === null || !isLongEnough(voice.duration)) end(t("voice.tooShort"));
    else if (next === "send") send(voice);
    else setPhase({ kind: "preview", voice });
  };

  const handleStarted = (started: StartedRecording) => {
    if (started === null) return;
    if (typeof started === "string") {
      if (isOver.current) return;
      isOver.current = true;
      toasts.long(t(`voice.${started}`));
      onDone();
      return;
    }
    const isSpeaking = press === "held" || press === "locked";
    // A finger that went away to answer the browser's question meant to record; any other was too quick.
    if (isOver.current || press === "cancelled" || (!isSpeaking && !started.wasAsked)) {
      started.cancel();
      if (press !== "cancelled") end(t("voice.tooShort"));
      return;
    }
    announce(t("voice.started"));
    if (!isSpeaking) toasts.long(t("voice.allowed"));
    setPhase({ kind: "recording", recording: started, isHeld: press === "held" });
  };
  const handleEnd = (voice: Voice | null, isFull: boolean) => {
    if (isOver.current) return;
    if (voice === null) {
      end(t("voice.lost"));
    } else {
      toasts.long(t(isFull ? "voice.longest" : "voice.lost"));
      setPhase({ kind: "preview", voice });
    }
  };
  useTellRecording(chatKey, phase.kind === "recording");
  useRecording(handleStarted, handleEnd, { isOver, isSending, isShown });

  const handlePress = useEffectEvent(() => {
    if (press === "cancelled") cancel();
    if (phase.kind !== "recording" || !phase.isHeld) return;
    if (press === "released") void stop(phase.recording, "send");
    if (press === "interrupted") void stop(phase.recording, "preview");
  });
  useEffect(() => {
    const timer = window.setTimeout(() => handlePress());
    return () => window.clearTimeout(timer);
  }, [press, phase.kind]);

  if (phase.kind === "preview") {
    return <VoicePreview voice={phase.voice} onSend={() => send(phase.voice)} onDiscard={cancel} />;
  }
  const recording = phase.kind === "recording" ? phase.recording : null;
  return (
    <LiveRecorder
      recording={recording}
      isHeld={press === "held"}
      slide={slide}
      onStop={() => recording !== null && void stop(recording, "preview")}
      onSend={() => recording !== null && void stop(recording, "send")}
      onCancel={cancel}
    />
  );
}

/** What becomes of the recording, as `VoiceRecorder` describes it. */
interface RecordingFate {
  readonly isOver: RefObject<boolean>;
  readonly isSending: RefObject<boolean>;
  readonly isShown: RefObject<boolean>;
}

/** Starts a recording at once and ends it with the component. `onEnd`: it has ended by itself, because it is as long as allowed or was lost. */
function useRecording(
  onStarted: (started: StartedRecording) => void,
  onEnd: (voice: Voice | null, isFull: boolean) => void,
  { isOver, isSending, isShown }: RecordingFate,
): void {
  const handleStarted = useEffectEvent(onStarted);
  const handleEnd = useEffectEvent(onEnd);
  useEffect(() => {
    let isWanted = true;
    isShown.current = true;
    let recording: VoiceRecording | null = null;
    const options = {
      maxMs: VOICE_MAX_S * 1_000,
      onEnd: (voice: Voice | null, isFull: boolean) => handleEnd(voice, isFull),
    };
    // What plays would be recorded too.
    claimSound(silence);
    releaseSound(silence);
    void startRecording(options, () => isWanted).then((started) => {
      if (started !== null && typeof started !== "string") recording = started;
      if (isWanted) handleStarted(started);
      else recording?.cancel();
    });
    // These refs are no elements: what they say at the end counts.
    const leave = () => {
      isWanted = false;
      isShown.current = false;
      if (isSending.current) return;
      recording?.cancel();
      // The chat was left, or it no longer accepts messages.
      if (recording !== null && !isOver.current) toasts.long(currentText()("voice.discarded"));
    };
    return leave;
  }, [isOver, isSending, isShown]);
}

/** A voice as a file to send. */
function fileOfVoice({ file, format, duration, wave }: Voice) {
  return {
    type: MessageType.AUDIO,
    file,
    cover: null,
    name: voiceFileName(new Date(), format.extension),
    size: file.size,
    mimeType: format.mimeType,
    width: null,
    height: null,
    duration: Math.round(duration),
    wave,
  };
}
