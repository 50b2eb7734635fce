import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { ChevronLeft, Lock, Pause, Play, SendHorizontal, Square, Trash2 } from "lucide-react";
import { playTime } from "@parley/core/model/format";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { Row } from "../../../../ui/layout.tsx";
import { claimSound, releaseSound } from "../../message/media/sound-focus.ts";
import { shownLevels } from "./voice-file.ts";
import type { Voice, VoiceRecording } from "./voice-recording.ts";
import styles from "./voice-recorder.module.css";

/** How often the length and the bars are drawn, ms. */
const DRAW_MS = 100;
/** So many bars fit beside the length. */
const BARS = 40;

interface LiveRecorderProps {
  /** Null until the browser has given the microphone. */
  recording: VoiceRecording | null;
}

/** Draws a running recording again and again. */
export function LiveRecorder({
  recording,
  ...props
}: Omit<RunningRecorderProps, "shown"> & LiveRecorderProps) {
  const [, draw] = useState(0);
  useEffect(() => {
    if (recording === null) return;
    const timer = window.setInterval(() => draw((count) => count + 1), DRAW_MS);
    return () => window.clearInterval(timer);
  }, [recording]);
  const shown = recording && { levels: recording.levels, seconds: Math.floor(recording.elapsed() / 1_000) };
  return <RunningRecorder {...props} shown={shown} />;
}

interface RunningRecorderProps {
  /** Null until the browser has given the microphone. */
  shown: { readonly levels: readonly number[]; readonly seconds: number } | null;
  isHeld: boolean;
  slide: number;
  onStop: () => void;
  onSend: () => void;
  onCancel: () => void;
}

/** The view while the recording runs. */
export function RunningRecorder({ shown, isHeld, slide, onStop, onSend, onCancel }: RunningRecorderProps) {
  const t = useText();
  return (
    <VoiceRow label={t("voice.recording")} onGiveUp={onCancel}>
      {!isHeld && (
        <IconButton label={t("voice.cancel")} tooltipSide="top" isDanger onClick={onCancel}>
          <Trash2 {...ICON_PROPS} />
        </IconButton>
      )}
      <span className={styles.dot} data-on={shown !== null} />
      <span className={styles.time} role="timer" aria-label={t("voice.length")}>
        {shown === null ? t("voice.starting") : playTime(shown.seconds)}
      </span>
      <Bars levels={shownLevels(shown?.levels ?? [], BARS)} />
      {isHeld ? (
        <>
          <Row as="span" gap={4} shrink={false} className={styles.slide} style={{ translate: `${-slide}px` }}>
            <ChevronLeft {...ICON_PROPS_16} />
            {t("voice.slideToCancel")}
          </Row>
          <Row as="span" gap={4} className={styles.lock} aria-hidden="true">
            <Lock {...ICON_PROPS_16} />
            {t("voice.slideToLock")}
          </Row>
        </>
      ) : (
        <>
          <IconButton label={t("voice.stop")} tooltipSide="top" disabled={shown === null} onClick={onStop}>
            <Square {...ICON_PROPS} />
          </IconButton>
          <SendVoiceButton isReady={shown !== null} onSend={onSend} />
        </>
      )}
    </VoiceRow>
  );
}

/** The newest levels, the newest last. */
function Bars({ levels }: { levels: readonly number[] }) {
  return (
    <Row as="span" grow className={styles.bars} aria-hidden="true">
      {levels.map((level, index) => (
        <span key={index} className={styles.bar} style={{ blockSize: `${Math.max(12, level * 100)}%` }} />
      ))}
    </Row>
  );
}

interface VoicePreviewProps {
  voice: Voice;
  onSend: () => void;
  onDiscard: () => void;
}

/** A finished recording: it can be heard, sent or discarded. */
export function VoicePreview({ voice, onSend, onDiscard }: VoicePreviewProps) {
  const t = useText();
  const [audio] = useState(() => new Audio());
  const [pause] = useState(() => () => audio.pause());
  const [isPlaying, setPlaying] = useState(false);
  const [position, setPosition] = useState(0);
  useEffect(() => {
    const listeners = {
      play: () => setPlaying(true),
      pause: () => setPlaying(false),
      ended: () => setPosition(0),
      timeupdate: () => !audio.ended && setPosition(audio.currentTime),
    };
    const url = URL.createObjectURL(voice.file);
    audio.src = url;
    for (const [type, listener] of Object.entries(listeners)) audio.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) audio.removeEventListener(type, listener);
      pause();
      releaseSound(pause);
      audio.removeAttribute("src");
      URL.revokeObjectURL(url);
    };
  }, [audio, pause, voice]);
  const toggle = () => {
    if (isPlaying) return pause();
    claimSound(pause);
    // Refused by the browser, or stopped at once by a pause: the button shows what is.
    audio.play().catch(() => setPlaying(false));
  };
  const played = position / voice.duration;
  return (
    <VoiceRow label={t("voice.preview")} onGiveUp={onDiscard}>
      <IconButton label={t("voice.discard")} tooltipSide="top" isDanger onClick={onDiscard}>
        <Trash2 {...ICON_PROPS} />
      </IconButton>
      <IconButton label={t(isPlaying ? "voice.pause" : "voice.play")} tooltipSide="top" onClick={toggle}>
        {isPlaying ? <Pause {...ICON_PROPS} /> : <Play {...ICON_PROPS} />}
      </IconButton>
      <Row as="span" grow className={styles.bars} aria-hidden="true">
        {[...voice.wave].map((digit, index) => (
          <span
            key={index}
            className={styles.bar}
            data-rest={(index + 0.5) / voice.wave.length > played || undefined}
            style={{ blockSize: `${Math.max(12, Number.parseInt(digit, 16) * (100 / 15))}%` }}
          />
        ))}
      </Row>
      <span className={styles.time}>{playTime(position > 0 ? position : voice.duration)}</span>
      <SendVoiceButton isReady onSend={onSend} />
    </VoiceRow>
  );
}

interface VoiceRowProps {
  /** Accessible name. */
  label: string;
  /** Esc. */
  onGiveUp: () => void;
  children: ReactNode;
}

/** The row in place of the field in which a voice message is recorded or heard. */
function VoiceRow({ label, onGiveUp, children }: VoiceRowProps) {
  return (
    <Row
      gap={8}
      grow
      className={styles.row}
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onGiveUp();
      }}
    >
      {children}
    </Row>
  );
}

/** Sends the voice message. It takes the focus when it appears: Enter sends and Esc gives up without a search for the buttons. */
function SendVoiceButton({ isReady, onSend }: { isReady: boolean; onSend: () => void }) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button
      ref={button}
      type="button"
      className={styles.send}
      aria-label={t("voice.send")}
      data-tip={t("voice.send")}
      data-tip-side="top"
      aria-disabled={!isReady || undefined}
      onClick={onSend}
    >
      <SendHorizontal {...ICON_PROPS} />
    </button>
  );
}
