import { useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { MediaKind } from "@parley/core/search/search-query";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { showMessage } from "../../../../kit/chats/show-message.ts";
import { Button } from "../../../../ui/button.tsx";
import { Stack } from "../../../../ui/layout.tsx";
import { Spinner } from "../../../../ui/spinner.tsx";
import { Tabs } from "../../../../ui/tabs.tsx";
import { openViewer } from "../../message/media/media-files.ts";
import { useMediaPages, type MediaPages } from "../../message/media/media-pages.ts";
import { PanelFrame, type PanelProps } from "../panel-frame.tsx";
import { FileList, LinkList } from "./file-list.tsx";
import { PictureList } from "./picture-list.tsx";
import styles from "./media-panel.module.css";

interface MediaPanelProps extends Omit<PanelProps, "onSearch" | "onPart"> {
  chatKey: ChatKey;
  onBack: () => void;
}

const KINDS = ["pictures", "files", "links"] as const satisfies readonly MediaKind[];

/** The pictures, files and links of a chat, in place of its side panel. */
export function MediaPanel({ chatKey, onBack, ...frame }: MediaPanelProps) {
  const t = useText();
  const [kind, setKind] = useState<MediaKind>("pictures");
  const jump = ({ id }: ChatMessage) => {
    if (id === null) return;
    // A panel that covers the conversation would hide what is shown.
    if (!frame.isDocked) frame.onClose();
    showMessage(chatKey, id);
  };
  const renderList = (messages: readonly ChatMessage[], pages: MediaPages) => {
    if (kind === "files") return <FileList chatKey={chatKey} messages={messages} onJump={jump} />;
    if (kind === "links") return <LinkList chatKey={chatKey} messages={messages} onJump={jump} />;
    const open = ({ key }: ChatMessage) => openViewer({ chatKey, messageKey: key, pages });
    return <PictureList messages={messages} onOpen={open} />;
  };
  return (
    <PanelFrame title={t("media.title")} onBack={onBack} {...frame}>
      <Stack className={styles.tabs}>
        <Tabs
          label={t("media.title")}
          value={kind}
          onChange={setKind}
          tabs={KINDS.map((value) => ({
            value,
            text: t(`media.tab.${value}`),
            content: (
              <MediaList chatKey={chatKey} kind={value}>
                {renderList}
              </MediaList>
            ),
          }))}
        />
      </Stack>
    </PanelFrame>
  );
}

interface MediaListProps {
  chatKey: ChatKey;
  kind: MediaKind;
  /** Gets the messages, newest first, and the pages that they come from. */
  children: (messages: readonly ChatMessage[], pages: MediaPages) => ReactNode;
}

/** What a chat has of one kind; the next page is loaded when its end comes into view. */
function MediaList({ chatKey, kind, children }: MediaListProps) {
  const t = useText();
  const { pages, messages, hasMore, load } = useMediaPages(chatKey, kind);
  const { status } = pages;
  const shown = useMemo(() => newestFirst(messages, pages), [messages, pages]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || !hasMore || status !== "idle") return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(),
      { rootMargin: "400px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore, status, load]);
  return (
    <>
      {children(shown, pages)}
      <div ref={end} className={styles.end} role="status" aria-busy={status === "loading" || undefined}>
        {status === "loading" && <Spinner />}
        {status === "failed" && (
          <>
            <span>{t("media.listFailed")}</span>
            <Button variant="ghost" size="small" onClick={load}>
              {t("app.retry")}
            </Button>
          </>
        )}
        {status === "idle" && shown.length === 0 && !hasMore && <span>{t(`media.empty.${kind}`)}</span>}
      </div>
    </>
  );
}

/** Without unsent messages, and without those of the window that are older than all pages: others between are not loaded yet. */
function newestFirst(messages: readonly ChatMessage[], { messages: loaded, total, next }: MediaPages) {
  const isComplete = total !== null && next === null;
  const oldest = isComplete ? 0 : (loaded.at(-1)?.id ?? Infinity);
  return messages.filter(({ id }) => id !== null && id >= oldest).toReversed();
}
