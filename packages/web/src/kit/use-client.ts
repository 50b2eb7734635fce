import { createContext, useContext, useRef, useSyncExternalStore } from "react";
import type { Client } from "@parley/core/client-api";
import type { State } from "@parley/core/model/state";

const ClientContext = createContext<Client | null>(null);

export const ClientProvider = ClientContext.Provider;

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("no ClientProvider above");
  return client;
}

/**
 * A part of the core's state. Renders again when the part changed by `equal`; a selector that builds something new each time needs an
 * `equal` that looks inside.
 */
export function useClientState<Part>(
  select: (state: State) => Part,
  equal: (a: Part, b: Part) => boolean = Object.is,
): Part {
  const client = useClient();
  const last = useRef<{ state: State; select: (state: State) => Part; part: Part } | null>(null);
  const read = () => {
    const state = client.getState();
    const known = last.current;
    if (known !== null && known.state === state && known.select === select) return known.part;
    const fresh = select(state);
    const part = known !== null && equal(known.part, fresh) ? known.part : fresh;
    last.current = { state, select, part };
    return part;
  };
  return useSyncExternalStore((listener) => client.subscribe(listener), read, read);
}
