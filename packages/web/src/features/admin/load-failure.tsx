import type { Failure } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { FailureText } from "../../ui/failure-text.tsx";
import { Button } from "../../ui/button.tsx";
import { AlertIcon } from "../../ui/icons.tsx";
import styles from "./admin-page.module.css";

/** Why something could not be loaded, and the way to try again. */
export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const t = useText();
  return (
    <div className={styles.failure} role={failure.kind === "refused" ? undefined : "alert"}>
      <AlertIcon size={16} />
      <span>{failureText(failure, t)}</span>
      <Button size="small" onClick={onRetry}>
        {t("app.retry")}
      </Button>
    </div>
  );
}

/** Why an act failed, beside the button that asked for it. */
export function ActFailure({ failure }: { failure: Failure | null }) {
  const t = useText();
  if (failure === null) return null;
  const text = failureText(failure, t);
  return (
    <FailureText className={styles.failure} text={text}>
      <AlertIcon size={16} />
      <span>{text}</span>
    </FailureText>
  );
}
