import { type KeyboardEvent, type MouseEvent, useMemo } from "react";
import { Pause, Play, X } from "lucide-react";
import { isUnheard } from "@parley/core/model/chats/played-voices";
import { playTime } from "@parley/core/model/format";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { showMessage } from "../../../../kit/chats/show-message.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { Row, Text } from "../../../../ui/layout.tsx";
import type { Voice } from "../media/media-content.ts";
import { downloadMedia } from "../media/media-files.ts";
import { isUploading, UploadRing } from "../media/upload-ring.tsx";
import { useSenderName } from "../message-summary.ts";
import { voicePlayer } from "./voice-player.ts";
import { type PlayingVoice, useVoiceStore } from "./voice-store.ts";
import { barsOf } from "./voice.ts";
import styles from "./voice.module.css";

/** What the arrow keys move by, and Page up and down. */
const STEP_SECONDS = 5;
const PAGE_SECONDS = 15;

interface VoiceLineProps {
  chatKey: ChatKey;
  message: ChatMessage;
  voice: Voice;
}

/** The controls of a voice message: play, bars that show and set the position, length, speed. */
export function VoiceLine({ chatKey, message, voice }: VoiceLineProps) {
  const t = useText();
  const client = useClient();
  const current = useVoiceStore((state) =>
    state.current?.message.key === message.key ? state.current : null,
  );
  const isNew = useClientState((state) => isUnheard(state.played, chatKey, message));
  const isPlaying = current?.isPlaying === true;
  const duration = current?.duration ?? voice.duration;
  const position = current?.position ?? 0;
  const play = (from?: number) => voicePlayer.play(client, chatKey, message, from);
  const toggle = () => (isPlaying ? voicePlayer.pause() : play());
  if (current !== null && current.problem !== null) {
    return (
      <span className={styles.problem} role="alert">
        {t(current.problem === "format" ? "media.voiceFormat" : "media.voiceFailed")}
        {current.problem === "format" ? (
          <button type="button" onClick={() => downloadMedia(client, message)}>
            {t("media.save")}
          </button>
        ) : (
          <button type="button" onClick={() => play()}>
            {t("app.retry")}
          </button>
        )}
      </span>
    );
  }
  return (
    <span className={styles.line}>
      {isUploading(message) && <UploadRing chatKey={chatKey} message={message} />}
      {!isUploading(message) && (
        <button
          type="button"
          className={styles.play}
          aria-label={t(isPlaying ? "media.pause" : "media.play")}
          onClick={toggle}
        >
          {isPlaying ? (
            <Pause {...ICON_PROPS_16} fill="currentColor" />
          ) : (
            <Play {...ICON_PROPS_16} fill="currentColor" />
          )}
        </button>
      )}
      <Bars
        wave={voice.wave}
        position={position}
        duration={duration}
        onSeek={(seconds) => (current === null ? play(seconds) : voicePlayer.seek(seconds))}
      />
      <span className={styles.time}>{playTime(current === null ? duration : position)}</span>
      {current !== null && <SpeedButton />}
      {isNew && <span className={styles.unheard} role="img" aria-label={t("media.unheard")} />}
    </span>
  );
}

interface BarsProps {
  wave: string | null;
  /** Seconds. */
  position: number;
  duration: number;
  onSeek: (seconds: number) => void;
}

/** The bars of a voice message, which are also the slider of its position. */
function Bars({ wave, position, duration, onSeek }: BarsProps) {
  const t = useText();
  const bars = useMemo(() => barsOf(wave), [wave]);
  const part = duration > 0 ? position / duration : 0;
  const handleClick = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - box.left) / box.width) * duration);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const seconds = {
      ArrowLeft: position - STEP_SECONDS,
      ArrowDown: position - STEP_SECONDS,
      ArrowRight: position + STEP_SECONDS,
      ArrowUp: position + STEP_SECONDS,
      PageDown: position - PAGE_SECONDS,
      PageUp: position + PAGE_SECONDS,
      Home: 0,
      End: duration,
    }[event.key];
    if (seconds === undefined) return;
    event.preventDefault();
    // The same keys move the focus from message to message.
    event.stopPropagation();
    onSeek(Math.min(duration, Math.max(0, seconds)));
  };
  return (
    <span
      className={styles.bars}
      dir="ltr"
      role="slider"
      tabIndex={0}
      aria-label={t("media.position")}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(position)}
      aria-valuetext={playTime(position)}
      onClick={handleClick}
      onKeyDown={handleKeyDown}
    >
      {bars.map((height, index) => (
        <span
          // Bars have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className={styles.bar}
          style={{ blockSize: `${Math.round(height * 100)}%` }}
          data-played={index / bars.length < part ? "" : undefined}
        />
      ))}
    </span>
  );
}

/** The voice message that plays, at the top of the open conversation, whichever that is. A click on the name goes to it. */
export function VoiceBar() {
  const current = useVoiceStore((state) => state.current);
  return current === null || current.problem !== null ? null : <Playing current={current} />;
}

function Playing({ current }: { current: PlayingVoice }) {
  const t = useText();
  const client = useClient();
  const { chatKey, message, isPlaying, position, duration } = current;
  const { id } = message;
  const name = useSenderName(chatKey, message.sendId, message.sendNickName);
  const toggle = () => (isPlaying ? voicePlayer.pause() : voicePlayer.play(client, chatKey, message));
  return (
    <section className={styles.playing} aria-label={t("media.nowPlaying")} data-voice-bar>
      <IconButton
        label={t(isPlaying ? "media.pause" : "media.play")}
        size={36}
        hasTooltip={false}
        onClick={toggle}
      >
        {isPlaying ? <Pause {...ICON_PROPS_16} /> : <Play {...ICON_PROPS_16} />}
      </IconButton>
      <Row
        as="button"
        type="button"
        gap={8}
        grow
        textAlign="start"
        className={styles.what}
        disabled={id === null}
        onClick={() => id !== null && showMessage(chatKey, id)}
      >
        <Text as="bdi" truncate>
          {message.selfSend ? t("chat.me") : name}
        </Text>
        <span className={styles.time}>
          {playTime(position)} / {playTime(duration)}
        </span>
      </Row>
      <SpeedButton />
      <IconButton label={t("media.stop")} size={36} hasTooltip={false} onClick={voicePlayer.stop}>
        <X {...ICON_PROPS_16} />
      </IconButton>
    </section>
  );
}

/** Shows at which speed voice messages play; a click chooses the next one. */
function SpeedButton() {
  const t = useText();
  const speed = useVoiceStore((state) => state.speed);
  return (
    <button
      type="button"
      className={styles.speed}
      aria-label={t("media.speed", { speed: String(speed) })}
      onClick={() => voicePlayer.changeSpeed()}
    >
      {speed}×
    </button>
  );
}
