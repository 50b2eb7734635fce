import { useText } from "../../../kit/i18n.ts";
import { Spinner } from "../../../ui/spinner.tsx";
import styles from "./timeline.module.css";

interface PageStatusProps {
  state: "idle" | "loading" | "failed";
  onRetry: () => void;
}

/** The loading or error state before the first or after the last row. Its height is constant, so that nothing moves. */
export function PageStatus({ state, onRetry }: PageStatusProps) {
  const t = useText();
  return (
    <div className={styles.pageStatus}>
      {state === "loading" && <Spinner size={16} />}
      {state === "failed" && (
        <div className={styles.failed} role="status">
          <span>{t("chat.olderFailed")}</span>
          <button type="button" className={styles.retry} onClick={onRetry}>
            {t("app.retry")}
          </button>
        </div>
      )}
    </div>
  );
}
