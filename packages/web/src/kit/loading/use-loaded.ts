import { useEffect, useEffectEvent, useState } from "react";
import type { Failure, Result } from "@parley/core/model/state";

/** The answer to a question that a component asks the server. */
export interface Loaded<Value> {
  /** The last answer. It stays while a newer one is awaited, and when that fails, unless the person may no longer see it. */
  readonly value: Value | null;
  /** Why the last attempt failed. */
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  /** Asks again. */
  reload(): void;
}

interface Settled<Value> {
  readonly attempt: string | null;
  readonly value: Value | null;
  readonly failure: Failure | null;
}

function lacksRole(failure: Failure): boolean {
  return failure.kind === "refused" && failure.key === "admin.required";
}

/**
 * Asks the server when the component is mounted and whenever `key` changes, which names what is asked. The answer to an earlier question that
 * arrives late is ignored.
 */
export function useLoaded<Value>(load: () => Promise<Result<Value>>, key = ""): Loaded<Value> {
  const [count, setCount] = useState(0);
  const [settled, setSettled] = useState<Settled<Value>>({ attempt: null, value: null, failure: null });
  const attempt = `${count} ${key}`;
  const ask = useEffectEvent(() => load());
  useEffect(() => {
    let isCurrent = true;
    void ask().then((result) => {
      if (!isCurrent) return;
      setSettled((before) =>
        result.ok
          ? { attempt, value: result.value, failure: null }
          : { attempt, value: lacksRole(result.failure) ? null : before.value, failure: result.failure },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [attempt]);
  const isLoading = settled.attempt !== attempt;
  return {
    value: settled.value,
    failure: isLoading ? null : settled.failure,
    isLoading,
    reload: () => setCount((before) => before + 1),
  };
}
