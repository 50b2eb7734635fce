import type { GroupVO } from "@parley/protocol/entities";
import type { Result } from "../model/state.ts";
import type { GroupRepository } from "./group-repository.ts";

/** Waits for a call that changes a group. `isOutdated`: the group has changed during the call, so the answer may be older. */
export async function actOnGroup<T>(
  { markChanged, version, hasChangedSince }: GroupRepository,
  id: number,
  call: Promise<Result<T>>,
): Promise<{ result: Result<T>; isOutdated: boolean }> {
  markChanged(id);
  const versionAtStart = version();
  const result = await call;
  const isOutdated = hasChangedSince(id, versionAtStart);
  markChanged(id);
  return { result, isOutdated };
}

/** Applies the answer of a call that answers with the group itself and causes no push to this client. */
export async function applyAnsweredGroup(
  repository: GroupRepository,
  group: GroupVO,
  isOutdated: boolean,
): Promise<void> {
  if (isOutdated) await repository.refetch(group.id);
  else repository.put(group);
}
