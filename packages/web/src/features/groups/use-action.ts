import { useState } from "react";
import type { Result } from "@parley/core/model/state";

/** One thing at a time, asked of the server; `hasFailed` until the next try. Why it failed is told by the client's own notice. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const run = async (action: () => Promise<Result<unknown>>, done: () => void) => {
    if (isBusy) return;
    setBusy(true);
    setFailed(false);
    const result = await action();
    setBusy(false);
    setFailed(!result.ok);
    if (result.ok) done();
  };
  return {
    isBusy,
    hasFailed,
    run: (work: () => Promise<Result<unknown>>, done: () => void) => void run(work, done),
  };
}
