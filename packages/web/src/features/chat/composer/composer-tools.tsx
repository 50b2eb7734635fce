import { useState } from "react";
import { ChevronDown, Eye, Image, Mic, Paperclip, Plus } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import { desktopBridge } from "../../../kit/settings/desktop.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import { useIsMobile, useIsWide } from "../../../ui/use-media.ts";
import type { SelectedFiles } from "./attachments/attach-files.ts";
import { useFilePicker } from "./attachments/pick-files.ts";
import type { ReceiptRequest } from "./use-composition.ts";
import type { useVoicePress } from "./voice/use-voice-press.ts";
import styles from "./composer.module.css";

const ScreenshotTool = lazyComponent(() =>
  import("./screenshot/desktop-screenshot-tool.tsx").then((part) => part.ScreenshotTool),
);

interface ComposerToolsProps extends Omit<PlusToolProps, "receipt"> {
  receipt: ReceiptRequest;
}

/** The menu of what else can be sent. The most frequent kinds, and receipts, have buttons of their own where there is room for them. */
export function ComposerTools({ receipt, ...menu }: ComposerToolsProps) {
  const isDesktop = useIsWide();
  const isMobile = useIsMobile();
  return (
    <>
      <PlusTool {...menu} receipt={receipt.isAvailable && !isDesktop ? receipt : null} />
      {!isMobile && <AttachTools onAttach={menu.onAttach} />}
      {desktopBridge() !== null && <ScreenshotTool waiting={<span className={styles.tool} />} />}
      {receipt.isAvailable && isDesktop && <ReceiptTool receipt={receipt} />}
    </>
  );
}

/** A toggle button: request receipts for the next message only. */
function ReceiptTool({ receipt: { isRequested, setRequested } }: { receipt: ReceiptRequest }) {
  const t = useText();
  return (
    <span className={styles.tool}>
      <IconButton
        label={t("readers.ask")}
        tooltip={t(isRequested ? "readers.asked" : "readers.ask")}
        tooltipSide="top"
        isOn={isRequested}
        aria-pressed={isRequested}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setRequested(!isRequested)}
      >
        <Eye {...ICON_PROPS} />
      </IconButton>
    </span>
  );
}

const PlusMenu = lazyComponent(() => import("./composer-menus.tsx").then((part) => part.PlusMenu));

/** The props of the button and of its menu. */
export interface PlusToolProps {
  chatKey: ChatKey;
  /** Set if the menu should offer to request receipts; null if it should not. */
  receipt: ReceiptRequest | null;
  /** Gets the files that the person chose. */
  onAttach: (chosen: SelectedFiles) => void;
  onSent: () => void;
}

/** The button for what else can be sent. Its menu is loaded at the first click and then opens at once. */
function PlusTool({ chatKey, receipt, onAttach, onSent }: PlusToolProps) {
  const t = useText();
  const [shouldLoadMenu, setShouldLoadMenu] = useState(false);
  const button = (
    <IconButton
      label={t("chat.more")}
      tooltipSide="top"
      aria-haspopup="menu"
      onClick={() => setShouldLoadMenu(true)}
    >
      <Plus {...ICON_PROPS} />
    </IconButton>
  );
  return (
    <span className={styles.plus}>
      {shouldLoadMenu ? (
        <PlusMenu
          chatKey={chatKey}
          receipt={receipt}
          onAttach={onAttach}
          onSent={onSent}
          waiting={button}
          onMissing={() => setShouldLoadMenu(false)}
        />
      ) : (
        button
      )}
    </span>
  );
}

/** Buttons for pictures and for files, which people send most, beside the menu that has them too. */
function AttachTools({ onAttach }: { onAttach: (chosen: SelectedFiles) => void }) {
  const t = useText();
  const picker = useFilePicker(onAttach);
  return (
    <span className={styles.tool}>
      <input {...picker.inputProps} />
      <IconButton label={t("attach.pickPicture")} tooltipSide="top" onClick={() => picker.pick("picture")}>
        <Image {...ICON_PROPS} />
      </IconButton>
      <IconButton label={t("attach.pickFile")} tooltipSide="top" onClick={() => picker.pick("file")}>
        <Paperclip {...ICON_PROPS} />
      </IconButton>
    </span>
  );
}

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

const SendKeyMenu = lazyComponent(() => import("./composer-menus.tsx").then((part) => part.SendKeyMenu));

/** The button beside the send button that opens the menu of send keys. */
export function SendKeyTool({ canSend }: { canSend: boolean }) {
  const t = useText();
  const [shouldLoadMenu, setShouldLoadMenu] = useState(false);
  const className = classNames(styles.sendKey, !canSend && styles.idle);
  const button = (
    <button
      type="button"
      className={className}
      aria-label={t("chat.sendKey")}
      aria-haspopup="menu"
      data-tip={t("chat.sendKey")}
      data-tip-side="top"
      onClick={() => setShouldLoadMenu(true)}
    >
      <ChevronDown {...ICON_PROPS_14} />
    </button>
  );
  if (!shouldLoadMenu) return button;
  return <SendKeyMenu className={className} waiting={button} onMissing={() => setShouldLoadMenu(false)} />;
}
