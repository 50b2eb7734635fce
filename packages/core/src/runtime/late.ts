import type { Result } from "../model/state.ts";
import { fail } from "./api.ts";
import type { createGroupActs } from "./group-acts.ts";
import type { createPeopleActs } from "./people-acts.ts";
import type { createSearch } from "./search.ts";
import type { createTidyWork } from "./tidy-work.ts";

/** What reading and writing does without: a browser may load it when somebody first wants it. */
export interface LateParts {
  readonly createGroupActs: typeof createGroupActs;
  readonly createPeopleActs: typeof createPeopleActs;
  readonly createSearch: typeof createSearch;
  readonly createTidyWork: typeof createTidyWork;
}

export type LateSource = { readonly parts: LateParts } | { readonly load: () => Promise<LateParts> };

type Act = (...args: never[]) => Promise<Result<unknown>>;

/**
 * Acts of a part that may not be there yet: each waits for it, and fails as without a network when it does not come. Whoever has left
 * meanwhile does nothing.
 */
export function lateActs<Acts extends Record<keyof Acts, Act>>(
  source: LateSource,
  me: () => number,
  names: Readonly<Record<keyof Acts, true>>,
  create: (parts: LateParts) => Acts,
): Acts {
  if ("parts" in source) return create(source.parts);
  let made: Acts | null = null;
  const late = (name: keyof Acts) =>
    async function act(...args: never[]): Promise<Result<unknown>> {
      const owner = me();
      try {
        made ??= create(await source.load());
      } catch {
        return fail({ kind: "network", reason: "offline" });
      }
      return owner === me() ? made[name](...args) : fail({ kind: "loggedOut" });
    };
  return Object.fromEntries(Object.keys(names).map((name) => [name, late(name as keyof Acts)])) as Acts;
}
