import type { ReactNode } from "react";
import { ChevronLeft } from "lucide-react";
import { IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { RequestsIllustration } from "../../ui/lazy-illustrations.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { goUp } from "../dialogs/go-up.ts";
import { useText } from "../i18n/i18n.ts";
import styles from "./requests-page.module.css";

interface RequestsPageProps {
  title: string;
  /** Where the button "Back" of small screens leads. */
  parentPath: string;
  /** Whether it is known which requests there are. */
  isLoaded: boolean;
  /** The cards of all unanswered requests. */
  cards: readonly ReactNode[];
}

/** A page with all unanswered requests of an area. */
export function RequestsPage({ title, parentPath, isLoaded, cards }: RequestsPageProps) {
  const t = useText();
  const isMobile = useIsMobile();
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        {isMobile && (
          <IconButton label={t("friend.back")} onClick={() => goUp(parentPath)}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
        )}
        <h1 className={styles.title}>{title}</h1>
      </header>
      {cards.length > 0 ? (
        <div className={styles.column}>{cards}</div>
      ) : isLoaded ? (
        <EmptyState illustration={<RequestsIllustration />} text={t("request.none")} />
      ) : (
        <SkeletonRows />
      )}
    </div>
  );
}
