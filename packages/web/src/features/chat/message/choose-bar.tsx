import { useEffect, useRef } from "react";
import { Copy, Forward, Trash2, X } from "lucide-react";
import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { copyText } from "../../../kit/copy-text.ts";
import { currentLocale, useText } from "../../../kit/i18n.ts";
import { clockTime } from "../../../kit/time-text.ts";
import { toasts } from "../../../kit/toasts.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON } from "../../../ui/icon.ts";
import composer from "../composer/composer.module.css";
import { chosenNow } from "./as-it-stands.ts";
import { useDesk, useDeskState } from "./desk.ts";
import { canForward } from "./message-acts.ts";
import { messageWords } from "./message-words.ts";
import styles from "./choose-bar.module.css";

interface ChooseBarProps {
  window: ChatWindow;
  nameOf: (message: ChatMessage) => string;
}

/** In place of the composer while messages are being chosen: what is done with all of them. Esc ends it. */
export function ChooseBar({ window, nameOf }: ChooseBarProps) {
  const t = useText();
  const desk = useDesk();
  const chosen = useDeskState((state) => state.chosen);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // A dialog over the conversation closes first.
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (document.querySelector('[role$="dialog"], [role="menu"]') !== null) return;
      event.preventDefault();
      desk.set({ chosen: null });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [desk]);
  // Nobody acts on what was recalled or edited meanwhile.
  useEffect(() => {
    const now = chosen && chosenNow(chosen, window);
    if (now !== chosen) desk.set({ chosen: now });
  }, [desk, chosen, window]);
  if (chosen === null) return null;

  const messages = [...chosen.values()].toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0));
  const idsOf = (some: readonly ChatMessage[]) => some.flatMap(({ id }) => (id === null ? [] : [id]));
  const forwardable = messages.filter(canForward);
  const copyAll = async () => {
    const lines = messages.map(
      (one) => `${nameOf(one)} ${clockTime(one.sendTime, currentLocale())}\n${messageWords(one, t)}`,
    );
    if (!(await copyText(lines.join("\n")))) return toasts.error(t("chat.copyRefused"));
    toasts.success(t("chat.copied"));
    desk.set({ chosen: null });
  };
  return (
    <div className={composer.blocked}>
      <div
        ref={bar}
        className={classNames(composer.box, styles.bar)}
        role="toolbar"
        aria-label={t("choose.bar")}
      >
        <span className={styles.count} role="status">
          {t("choose.count", { count: messages.length })}
        </span>
        <Button
          variant="quiet"
          size="small"
          icon={<Forward {...ICON} />}
          disabled={forwardable.length === 0}
          onClick={() => desk.set({ dialog: { kind: "forward", ids: idsOf(forwardable) } })}
        >
          {t("choose.forward")}
        </Button>
        <IconButton
          label={t("act.copy")}
          size={36}
          tooltipSide="top"
          disabled={messages.length === 0}
          onClick={() => void copyAll()}
        >
          <Copy {...ICON} />
        </IconButton>
        <IconButton
          label={t("act.delete")}
          size={36}
          tooltipSide="top"
          isDanger
          disabled={messages.length === 0}
          onClick={() => desk.set({ dialog: { kind: "delete", ids: idsOf(messages) } })}
        >
          <Trash2 {...ICON} />
        </IconButton>
        <IconButton
          label={t("choose.end")}
          size={36}
          tooltipSide="top"
          onClick={() => desk.set({ chosen: null })}
        >
          <X {...ICON} />
        </IconButton>
      </div>
    </div>
  );
}
