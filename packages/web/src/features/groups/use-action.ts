import { useState } from "react";
import type { Result } from "@parley/core/model/state";

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
