import type { Result } from "./model/state.ts";
import { fail } from "./connection/api.ts";
import type { createGroupActions } from "./groups/group-actions.ts";
import type { createContactActions } from "./contacts/contact-actions.ts";
import type { createMessageSearch } from "./search/message-search.ts";
import type { createEvictionWork } from "./chats/eviction-work.ts";

/** Modules that are not needed to read and write messages. A browser may load them on first use. */
export interface LazyModules {
  readonly createGroupActions: typeof createGroupActions;
  readonly createContactActions: typeof createContactActions;
  readonly createMessageSearch: typeof createMessageSearch;
  readonly createEvictionWork: typeof createEvictionWork;
}

/** Where the modules come from: they are loaded, or can be. */
export type LazySource = { readonly modules: LazyModules } | { readonly load: () => Promise<LazyModules> };

type AsyncAction = (...args: never[]) => Promise<Result<unknown>>;

/**
 * Actions of a module that may not be loaded yet. Each call waits for it and fails like a call without a network if it cannot be loaded.
 */
export function lazyActions<Actions extends Record<keyof Actions, AsyncAction>>(
  source: LazySource,
  names: Readonly<Record<keyof Actions, true>>,
  create: (modules: LazyModules) => Actions,
): Actions {
  if ("modules" in source) return create(source.modules);
  let actions: Actions | null = null;
  const lazyAction = (name: keyof Actions) =>
    async function lazyCall(...args: never[]): Promise<Result<unknown>> {
      try {
        const modules = await source.load();
        actions ??= create(modules);
      } catch {
        return fail({ kind: "network", reason: "offline" });
      }
      return actions[name](...args);
    };
  return Object.fromEntries(
    Object.keys(names).map((name) => [name, lazyAction(name as keyof Actions)]),
  ) as Actions;
}
