import { useState } from "react";
import type { Result } from "@parley/core/model/state";
import { AlertIcon } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { isErrorShownAsToast } from "../../ui/toast-store.ts";

/** Runs one call to the server at a time. `hasFailed` holds until the next attempt; the client's own notice tells the reason. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const run = async (action: () => Promise<Result<unknown>>, onSuccess: () => void) => {
    if (isBusy) return;
    setBusy(true);
    setFailed(false);
    const result = await action();
    setBusy(false);
    setFailed(!result.ok);
    if (result.ok) onSuccess();
  };
  return {
    isBusy,
    hasFailed,
    run: (action: () => Promise<Result<unknown>>, onSuccess: () => void) => void run(action, onSuccess),
  };
}

/** Says in a dialog that an action failed. Screen readers say it, unless they say the toast that tells the reason. */
export function DialogError({ text }: { text: string }) {
  const [isInToast] = useState(isErrorShownAsToast);
  return (
    <Row as="p" gap={4} size={13} tone="danger" role={isInToast ? undefined : "alert"}>
      <AlertIcon size={14} />
      {text}
    </Row>
  );
}
