import { useText } from "../../../../kit/i18n.ts";
import { voicePlayer } from "./voice-player.ts";
import { useVoiceStore } from "./voice-store.ts";
import styles from "./voice.module.css";

/** Shows at which speed voice messages play; a click chooses the next one. */
export function SpeedButton() {
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
