import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { SendHorizontal } from "lucide-react";
import { useText } from "../../../../kit/i18n.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import styles from "./voice-recorder.module.css";

interface VoiceRowProps {
  /** Accessible name. */
  label: string;
  /** Esc. */
  onGiveUp: () => void;
  children: ReactNode;
}

/** The row in place of the field in which a voice message is recorded or heard. */
export function VoiceRow({ label, onGiveUp, children }: VoiceRowProps) {
  return (
    <div
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
    </div>
  );
}

/** Sends the voice message. It takes the focus when it appears: Enter sends and Esc gives up without a search for the buttons. */
export function SendVoiceButton({ isReady, onSend }: { isReady: boolean; onSend: () => void }) {
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
