import { Pause, Play, X } from "lucide-react";
import { playTime } from "@parley/core/model/format";
import { useText } from "../../../../kit/i18n.ts";
import { showMessage } from "../../../../kit/show-message.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { useSenderName } from "../use-sender-name.ts";
import { SpeedButton } from "./speed-button.tsx";
import { voicePlayer } from "./voice-player.ts";
import { type PlayingVoice, useVoiceStore } from "./voice-store.ts";
import styles from "./voice.module.css";

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
      <button
        type="button"
        className={styles.what}
        disabled={id === null}
        onClick={() => id !== null && showMessage(chatKey, id)}
      >
        <bdi className={styles.name}>{message.selfSend ? t("chat.me") : name}</bdi>
        <span className={styles.time}>
          {playTime(position)} / {playTime(duration)}
        </span>
      </button>
      <SpeedButton />
      <IconButton label={t("media.stop")} size={36} hasTooltip={false} onClick={voicePlayer.stop}>
        <X {...ICON_PROPS_16} />
      </IconButton>
    </section>
  );
}
