import type { Result } from "./model/state.ts";
import { fail } from "./connection/api.ts";
import type { createGroupActions } from "./groups/group-actions.ts";
import type { createContactActions } from "./contacts/contact-actions.ts";
import type { createMessageSearch } from "./search/message-search.ts";
import type { createEvictionWork } from "./chats/eviction-work.ts";

/** What reading and writing does without: a browser may load it when somebody first wants it. */
export interface LazyModules {
  readonly createGroupActions: typeof createGroupActions;
  readonly createContactActions: typeof createContactActions;
  readonly createMessageSearch: typeof createMessageSearch;
  readonly createEvictionWork: typeof createEvictionWork;
}

export type LazySource = { readonly modules: LazyModules } | { readonly load: () => Promise<LazyModules> };

type AsyncAction = (...args: never[]) => Promise<Result<unknown>>;

/**
 * Acts of a part that may not be there yet: each waits for it, and fails as without a network when it does not come. Whoever has left
 * meanwhile does nothing.
 */
export function lazyActions<Acts extends Record<keyof Acts, AsyncAction>>(
  source: LazySource,
  me: () => number,
  names: Readonly<Record<keyof Acts, true>>,
  create: (parts: LazyModules) => Acts,
): Acts {
  if ("modules" in source) return create(source.modules);
  let actions: Acts | null = null;
  const lazyAction = (name: keyof Acts) =>
    async function act(...args: never[]): Promise<Result<unknown>> {
      const startUserId = me();
      try {
        actions ??= create(await source.load());
      } catch {
        return fail({ kind: "network", reason: "offline" });
      }
      return startUserId === me() ? actions[name](...args) : fail({ kind: "loggedOut" });
    };
  return Object.fromEntries(Object.keys(names).map((name) => [name, lazyAction(name as keyof Acts)])) as Acts;
}
