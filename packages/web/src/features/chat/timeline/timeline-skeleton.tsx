import { useEffect, useState } from "react";
import { useText } from "../../../kit/i18n/i18n.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Overlay } from "../../../ui/layout.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import styles from "./timeline-skeleton.module.css";

/** A chat in the local database is loaded before this, and no skeleton is shown. */
const DELAY_MS = 150;

const BUBBLES = [
  { isMine: false, width: "42%", height: 40 },
  { isMine: true, width: "29%", height: 64 },
  { isMine: false, width: "37%", height: 40 },
  { isMine: false, width: "52%", height: 88 },
  { isMine: true, width: "34%", height: 40 },
  { isMine: true, width: "24%", height: 40 },
] as const;

/** Grey bubbles while the first page is loaded from the server. */
export function TimelineSkeleton() {
  const t = useText();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(true), DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <Overlay justify="end" paddingX={16} paddingY={12} className={styles.skeleton} aria-busy="true">
      <span className="visually-hidden" role="status">
        {t("app.loading")}
      </span>
      {BUBBLES.map(({ isMine, width, height }, index) => (
        <div key={index} className={classNames(styles.row, isMine && styles.mine)} aria-hidden="true">
          <Skeleton width={36} height={36} radius={999} />
          <Skeleton width={width} height={height} radius={14} />
        </div>
      ))}
    </Overlay>
  );
}
