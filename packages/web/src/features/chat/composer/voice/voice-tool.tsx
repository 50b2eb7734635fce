import { Mic } from "lucide-react";
import { useText } from "../../../../kit/i18n.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import type { useVoicePress } from "./use-voice-press.ts";
import styles from "../composer.module.css";

/** The microphone: a click records, a finger that holds it records until it lets go. */
export function VoiceTool({ press, handlers }: Pick<ReturnType<typeof useVoicePress>, "press" | "handlers">) {
  const t = useText();
  return (
    <span className={styles.voice} data-press={press ?? undefined}>
      <IconButton label={t("voice.record")} tooltipSide="top" {...handlers}>
        <Mic {...ICON_PROPS} />
      </IconButton>
    </span>
  );
}
