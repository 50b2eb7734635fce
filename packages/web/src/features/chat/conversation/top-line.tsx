import { useText } from "../../../kit/i18n.ts";
import { Spinner } from "../../../ui/spinner.tsx";
import styles from "./timeline.module.css";

interface TopLineProps {
  older: "idle" | "loading" | "failed";
  onRetry: () => void;
}

/** The line above the first row: of one height whatever it says, so that nothing below moves. */
export function TopLine({ older, onRetry }: TopLineProps) {
  const t = useText();
  return (
    <div className={styles.top}>
      {older === "loading" && <Spinner size={16} />}
      {older === "failed" && (
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
