import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { MediaKind } from "@parley/core/client-api";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Spinner } from "../../../../ui/spinner.tsx";
import { type MediaPages, useMediaPages } from "../../message/media/use-media-pages.ts";
import styles from "./media-panel.module.css";

interface MediaListProps {
  chatKey: ChatKey;
  kind: MediaKind;
  /** Gets the messages, newest first, and the pages that they come from. */
  children: (messages: readonly ChatMessage[], pages: MediaPages) => ReactNode;
}

/** What a chat has of one kind; the next page is loaded when its end comes into view. */
export function MediaList({ chatKey, kind, children }: MediaListProps) {
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
