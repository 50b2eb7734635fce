import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { SmilePlus } from "lucide-react";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { Row } from "../../../../ui/layout.tsx";
import { fitIntoWindow, pageTop } from "../../../../ui/popover-position.ts";
import { useConversationUi } from "../conversation-ui.ts";
import { hasReacted, quickReactions, toggleReaction } from "./reaction-acts.ts";
import { reactionName, ReactionSymbol } from "./reaction-symbol.tsx";
import styles from "./reactions.module.css";

/** A pointer that only passes over the button opens nothing, and one that cuts a corner closes nothing. */
const OPEN_MS = 120;
const CLOSE_MS = 250;

interface ReactionButtonProps {
  message: ChatMessage;
  /** `bar`: a button of the hover bar, which opens also when the pointer rests on it. `chip`: it stands behind the chips. */
  variant: "bar" | "chip";
  tabIndex?: number;
  /** The icon. */
  children: ReactNode;
}

/** Opens the quick reactions to a message beside itself. */
export function ReactionButton({ message, variant, tabIndex, children }: ReactionButtonProps) {
  const t = useText();
  const [openedBy, setOpenedBy] = useState<"pointer" | "key" | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const setLater = (next: "pointer" | null, ms: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpenedBy((now) => (next === null ? null : (now ?? next))), ms);
  };
  const isOpen = openedBy !== null;
  const close = (restoresFocus: boolean) => {
    window.clearTimeout(timer.current);
    setOpenedBy(null);
    if (restoresFocus) button.current?.focus({ preventScroll: true });
  };
  const props = {
    ref: button,
    "aria-expanded": isOpen,
    onClick(event: { detail: number }) {
      window.clearTimeout(timer.current);
      // The pointer that presses the button of the bar has opened it already by resting there.
      if (event.detail > 0 && variant === "bar") setOpenedBy("pointer");
      else setOpenedBy(isOpen ? null : event.detail === 0 ? "key" : "pointer");
    },
  };
  const hover = variant === "bar" && {
    onPointerEnter: () => setLater("pointer", OPEN_MS),
    onPointerLeave: () => setLater(null, CLOSE_MS),
  };
  return (
    <span className={styles.opener} {...hover}>
      {variant === "bar" ? (
        <IconButton {...props} label={t("reaction.add")} size={28} hasTooltip={false}>
          {children}
        </IconButton>
      ) : (
        <button
          {...props}
          type="button"
          className={classNames(styles.chip, styles.add)}
          aria-label={t("reaction.add")}
          data-tip={t("reaction.add")}
          data-tip-side="top"
          tabIndex={tabIndex}
        >
          {children}
        </button>
      )}
      {isOpen && (
        <QuickReactions message={message} opener={button} isByKey={openedBy === "key"} onClose={close} />
      )}
    </span>
  );
}

interface QuickReactionsProps {
  message: ChatMessage;
  opener: { readonly current: HTMLElement | null };
  isByKey: boolean;
  onClose: (restoresFocus: boolean) => void;
}

const GAP_PX = 4;
const CLOSING_EVENTS = ["pointerdown", "scroll", "resize"];

/** The quick reactions above their opener, or below it where there is no room. In the top layer, so that the timeline does not cut it. */
function QuickReactions({ message, opener, isByKey, onClose }: QuickReactionsProps) {
  const t = useText();
  const ui = useConversationUi();
  // Read once, so that nothing moves under the pointer.
  const [reactions] = useState(quickReactions);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [box, from] = [panel.current, opener.current?.getBoundingClientRect()];
    if (box === null || from === undefined) return;
    box.showPopover();
    const { offsetWidth: width, offsetHeight: height } = box;
    const above = from.top - height - GAP_PX;
    const y = above < pageTop() + GAP_PX ? from.bottom + GAP_PX : above;
    box.style.left = `${fitIntoWindow(from.left + (from.width - width) / 2, width, innerWidth)}px`;
    box.style.top = `${fitIntoWindow(y, height, innerHeight, pageTop())}px`;
    if (isByKey) box.querySelector("button")?.focus({ preventScroll: true });
  }, [opener, isByKey]);
  const close = useEffectEvent((event: Event) => {
    const isInside = [panel, opener].some(
      ({ current }) => event.target instanceof Node && current?.contains(event.target) === true,
    );
    if (!isInside) onClose(false);
  });
  useEffect(() => {
    const options = { capture: true, passive: true };
    const closeIfOutside = (event: Event) => close(event);
    for (const name of CLOSING_EVENTS) window.addEventListener(name, closeIfOutside, options);
    return () => {
      for (const name of CLOSING_EVENTS) window.removeEventListener(name, closeIfOutside, options);
    };
  }, []);

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") onClose(true);
    else if (!moveBetweenButtons(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Row
      ref={panel}
      gap={2}
      padding={4}
      popover="manual"
      className={styles.quick}
      role="toolbar"
      aria-label={t("reaction.add")}
      onKeyDown={handleKeyDown}
      // A finger that is held here is not held on the message.
      onPointerDown={(event: { stopPropagation(): void }) => event.stopPropagation()}
    >
      {reactions.map((reaction) => (
        <Choice key={reaction} message={message} reaction={reaction} onChoose={onClose} />
      ))}
      <button
        type="button"
        className={styles.choice}
        aria-label={t("reaction.more")}
        onClick={(event) => {
          const { left: x, bottom: y } = event.currentTarget.getBoundingClientRect();
          onClose(false);
          ui.set({ reactionPicker: { key: message.key, x, y } });
        }}
      >
        <SmilePlus {...ICON_PROPS} />
      </button>
    </Row>
  );
}

interface ChoiceProps {
  message: ChatMessage;
  reaction: string;
  onChoose: (restoresFocus: boolean) => void;
}

function Choice({ message, reaction, onChoose }: ChoiceProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isMine = useClientState((state) => hasReacted(message, reaction, state));
  return (
    <button
      type="button"
      className={styles.choice}
      aria-label={reactionName(reaction, t)}
      aria-pressed={isMine}
      onClick={(event) => {
        // A key presses it by a click without a count.
        onChoose(event.detail === 0);
        toggleReaction(message, reaction, { client, ui });
      }}
    >
      <ReactionSymbol reaction={reaction} />
    </button>
  );
}

/** ← and → move the focus between the buttons of a row, ↑ and ↓ between those of a column. Returns whether the key did. */
export function moveBetweenButtons(
  { key, currentTarget, altKey }: KeyboardEvent<HTMLElement>,
  layout: "row" | "column" = "row",
): boolean {
  const [back, on] = layout === "row" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  const step = key === on ? 1 : key === back ? -1 : 0;
  if (step === 0 || altKey) return false;
  const buttons = [...currentTarget.querySelectorAll("button")];
  const current = buttons.findIndex((one) => one === document.activeElement);
  buttons[Math.max(0, Math.min(current + step, buttons.length - 1))]?.focus({ preventScroll: true });
  return true;
}
