import { useText } from "../../../kit/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import styles from "./composer.module.css";

/**
 * Replaces the composer until it is known whether the chat accepts messages. With `onRetry`: it does not, and the part that says why
 * could not be loaded.
 */
export function ComposerPlaceholder({ onRetry }: { onRetry?: () => void }) {
  const t = useText();
  return (
    <div className={styles.blocked} aria-busy={onRetry === undefined}>
      <div className={classNames(styles.box, styles.reason)} role="status">
        {onRetry !== undefined && (
          <>
            <span>{t("chat.blockedUnknown")}</span>
            <Button variant="ghost" size="small" onClick={onRetry}>
              {t("app.retry")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
