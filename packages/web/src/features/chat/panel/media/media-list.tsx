import { type ReactNode, useEffect, useRef } from "react";
import type { FoundMessage, MediaKind } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Spinner } from "../../../../ui/spinner.tsx";
import { useMediaPages } from "./use-media-pages.ts";
import styles from "./media-panel.module.css";

interface MediaListProps {
  chatKey: ChatKey;
  kind: MediaKind;
  children: (hits: readonly FoundMessage[]) => ReactNode;
}

/** What a chat has of one kind; the next page is loaded when its end comes into view. */
export function MediaList({ chatKey, kind, children }: MediaListProps) {
  const t = useText();
  const { hits, state, hasMore, loadMore, retry } = useMediaPages(chatKey, kind);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || !hasMore || state !== "idle") return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && loadMore(),
      { rootMargin: "400px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore, state, loadMore]);
  return (
    <>
      {children(hits)}
      <div ref={end} className={styles.end} role="status" aria-busy={state === "loading" || undefined}>
        {state === "loading" && <Spinner />}
        {state === "failed" && (
          <>
            <span>{t("media.listFailed")}</span>
            <Button variant="ghost" size="small" onClick={retry}>
              {t("app.retry")}
            </Button>
          </>
        )}
        {state === "idle" && hits.length === 0 && !hasMore && <span>{t(`media.empty.${kind}`)}</span>}
      </div>
    </>
  );
}
