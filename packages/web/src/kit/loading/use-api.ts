import { useCallback } from "react";
import type { AnswerOf, CallInput, Endpoint } from "@parley/protocol/endpoint";
import type { Result } from "@parley/core/model/state";
import { useClient } from "./use-client.ts";

/** Calls an endpoint of the server. The caller shows a failure; only a refusal raises a toast as well. */
export type CallServer = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
) => Promise<Result<AnswerOf<E>>>;

/** For parts that show what the server answers and keep no state of it. The function stays the same. */
export function useApi(): CallServer {
  const { api } = useClient();
  return useCallback((endpoint, input) => api.call(endpoint, input, { isShownInPlace: true }), [api]);
}
