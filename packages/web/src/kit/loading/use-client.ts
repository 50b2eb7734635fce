import { createContext, useContext, useRef, useSyncExternalStore, useCallback } from "react";
import type { AnswerOf, CallInput, Endpoint } from "@parley/protocol/endpoint";
import type { Client } from "@parley/core/client-api";
import type { State, Result } from "@parley/core/model/state";

const ClientContext = createContext<Client | null>(null);

/** Provides the client to all components inside. */
export const ClientProvider = ClientContext.Provider;

/** The client of this page. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("useClient needs a ClientProvider above");
  return client;
}

/**
 * A part of the client state. The component renders again when `equal` says that the part has changed. A selector that returns a new object
 * each time needs an `equal` that compares the contents.
 */
export function useClientState<Part>(
  select: (state: State) => Part,
  equal: (a: Part, b: Part) => boolean = Object.is,
): Part {
  const client = useClient();
  const last = useRef<{ state: State; select: (state: State) => Part; part: Part } | null>(null);
  const read = () => {
    const state = client.getState();
    const previous = last.current;
    if (previous !== null && previous.state === state && previous.select === select) return previous.part;
    const selected = select(state);
    const part = previous !== null && equal(previous.part, selected) ? previous.part : selected;
    last.current = { state, select, part };
    return part;
  };
  return useSyncExternalStore((listener) => client.subscribe(listener), read, read);
}

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
