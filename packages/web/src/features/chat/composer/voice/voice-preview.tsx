import { useEffect, useState } from "react";
import { Pause, Play, Trash2 } from "lucide-react";
import { playTime } from "@parley/core/model/format";
import { useText } from "../../../../kit/i18n.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import type { Voice } from "./voice-recording.ts";
import { claimSound, releaseSound } from "../../message/media/sound-focus.ts";
import { SendVoiceButton, VoiceRow } from "./voice-row.tsx";
import styles from "./voice-recorder.module.css";

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
      <span className={styles.bars} aria-hidden="true">
        {[...voice.wave].map((digit, index) => (
          <span
            key={index}
            className={styles.bar}
            data-rest={(index + 0.5) / voice.wave.length > played || undefined}
            style={{ blockSize: `${Math.max(12, Number.parseInt(digit, 16) * (100 / 15))}%` }}
          />
        ))}
      </span>
      <span className={styles.time}>{playTime(position > 0 ? position : voice.duration)}</span>
      <SendVoiceButton isReady onSend={onSend} />
    </VoiceRow>
  );
}
