import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";
import { ChevronLeft, X } from "lucide-react";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useEscape } from "../../../kit/dialogs/closing.ts";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_24 } from "../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import styles from "./panel.module.css";

/** What can be in the place of the panel of a chat: its pinned messages, or its pictures, files and links. */
export type PanelPart = "pins" | "media";

/** The props of every side panel. */
export interface PanelProps {
  /** The panel is beside the conversation; otherwise it covers it. */
  isDocked: boolean;
  onClose: () => void;
  /** Opens the search in the conversation. */
  onSearch: () => void;
  /** Shows a part of the chat in place of the panel. */
  onPart: (part: PanelPart) => void;
}

interface PanelFrameProps extends Omit<PanelProps, "onSearch" | "onPart"> {
  title: string;
  /** Shown at the end of the header. */
  more?: ReactNode;
  /** Goes back to the panel that this one has replaced. */
  onBack?: () => void;
  children: ReactNode;
}

/** The frame of every side panel: beside the conversation, a sheet over it, or on a phone a page with a back button (interface §1). */
export function PanelFrame({ title, more, onBack, isDocked, onClose, children }: PanelFrameProps) {
  const t = useText();
  const id = useId();
  const isMobile = useIsMobile();
  const panel = useRef<HTMLElement>(null);
  useFocusInside(panel, !isDocked);
  const isReplacement = onBack !== undefined;
  useEffect(() => {
    // The focus went with the panel that this one has replaced.
    if (isReplacement && document.activeElement === document.body)
      panel.current?.focus({ preventScroll: true });
  }, [isReplacement]);
  useEscape(!isDocked, onClose);
  return (
    <>
      {!isDocked && (
        <button type="button" className={styles.scrim} tabIndex={-1} aria-hidden="true" onClick={onClose} />
      )}
      <Stack
        as="aside"
        ref={panel}
        shrink={false}
        className={classNames(styles.panel, !isDocked && styles.overlay)}
        aria-labelledby={id}
        tabIndex={-1}
        data-landmark="panel"
      >
        <Row as="header" justify="between" shrink={false} className={styles.header}>
          {(isMobile || onBack !== undefined) && (
            <IconButton
              label={t(onBack === undefined ? "chat.backToChat" : "media.back")}
              hasTooltip={false}
              onClick={onBack ?? onClose}
            >
              <ChevronLeft {...ICON_PROPS_24} />
            </IconButton>
          )}
          <Text as="h2" id={id} grow size={16} weight="title">
            {title}
          </Text>
          {more}
          {!isMobile && (
            <IconButton label={t("app.close")} hasTooltip={false} onClick={onClose}>
              <X {...ICON_PROPS} />
            </IconButton>
          )}
        </Row>
        <div className={styles.scroller}>{children}</div>
      </Stack>
    </>
  );
}

interface PanelIdentityProps {
  picture: ReactNode;
  name: string;
  /** Small text below the name. */
  details: ReactNode;
}

/** Picture, name and details of the person or group. */
export function PanelIdentity({ picture, name, details }: PanelIdentityProps) {
  return (
    <Row gap={12} className={styles.identity}>
      {picture}
      <Stack grow>
        <Text as="div" size={16} weight="title" className={styles.name}>
          <bdi>{name}</bdi>
        </Text>
        <Text as="div" size={12} line={18} tone="tertiary">
          {details}
        </Text>
      </Stack>
    </Row>
  );
}

/** While the panel covers the conversation it has the focus, which goes back afterwards. */
function useFocusInside(panel: { readonly current: HTMLElement | null }, isCovering: boolean): void {
  useEffect(() => {
    const element = panel.current;
    if (!isCovering || element === null) return;
    const opener = document.activeElement;
    element.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [panel, isCovering]);
}
