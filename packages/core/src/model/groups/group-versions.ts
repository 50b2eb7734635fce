import type { GroupVO } from "@parley/protocol/entities";

/** In which order changes of groups, requests for groups and applied answers came. All have numbers of one sequence. */
export interface GroupVersions {
  /** The number that was given last. */
  readonly latest: number;
  /** The request for all groups whose answer was applied last. */
  readonly listedAt: number;
  readonly byId: Readonly<Record<number, GroupVersion>>;
}

interface GroupVersion {
  /** The last change: by a push or by an action of this client. */
  readonly changedAt: number;
  /** The last push that brought the whole group. */
  readonly pushedAt: number;
  /** The request for this group whose answer was applied last. */
  readonly foundAt: number;
}

/** Before the first change and the first request. */
export const NO_VERSIONS: GroupVersions = { latest: 0, listedAt: 0, byId: {} };

const NEVER: GroupVersion = { changedAt: 0, pushedAt: 0, foundAt: 0 };

/** Takes the next number, for a request. */
export function nextVersion(versions: GroupVersions): GroupVersions {
  return { ...versions, latest: versions.latest + 1 };
}

/** A push or an action of this client has changed a group. `isWhole`: a push brought the whole group. */
export function groupChanged(versions: GroupVersions, id: number, isWhole: boolean): GroupVersions {
  const changedAt = versions.latest + 1;
  const version = { ...versionOf(versions, id), changedAt, ...(isWhole && { pushedAt: changedAt }) };
  return { ...versions, latest: changedAt, byId: { ...versions.byId, [id]: version } };
}

/** Whether a group has changed since this number was given. */
export function hasChangedSince(versions: GroupVersions, id: number, since: number): boolean {
  return versionOf(versions, id).changedAt > since;
}

/**
 * What to do with the answer to a request for one group. `drop`: something newer is known. `again`: the answer may lack a change of which
 * only a part is known.
 */
export function judgeAnswer(
  versions: GroupVersions,
  id: number,
  requestedAt: number,
): "apply" | "drop" | "again" {
  const { pushedAt, foundAt } = versionOf(versions, id);
  if (pushedAt > requestedAt) return "drop";
  if (hasChangedSince(versions, id, requestedAt)) return "again";
  return requestedAt < Math.max(versions.listedAt, foundAt) ? "drop" : "apply";
}

/** The answer to a request for this group is applied. */
export function groupFound(versions: GroupVersions, id: number, requestedAt: number): GroupVersions {
  const version = { ...versionOf(versions, id), foundAt: requestedAt };
  return { ...versions, byId: { ...versions.byId, [id]: version } };
}

/** What the answer to a request for all groups changes. */
export interface ListedGroups {
  readonly versions: GroupVersions;
  /** All groups from now on: those of the answer, except where something newer is known. */
  readonly groups: readonly GroupVO[];
  /** Groups that changed after the request and of which only a part of that change is known. */
  readonly incompleteIds: readonly number[];
}

/** Merges the answer to the newest request for all groups with the groups that are known. */
export function mergeGroupList(
  versions: GroupVersions,
  known: Readonly<Record<number, GroupVO>>,
  list: readonly GroupVO[],
  requestedAt: number,
): ListedGroups {
  const hasChanged = (id: number) => hasChangedSince(versions, id, requestedAt);
  const isOutdated = (id: number) => hasChanged(id) || versionOf(versions, id).foundAt > requestedAt;
  const listedIds = new Set(list.map(({ id }) => id));
  const addedMeanwhile = Object.values(known).filter(({ id }) => !listedIds.has(id) && hasChanged(id));
  return {
    versions: { ...versions, listedAt: requestedAt },
    groups: [
      ...list.map((group) => (isOutdated(group.id) ? (known[group.id] ?? group) : group)),
      ...addedMeanwhile,
    ],
    incompleteIds: Object.keys(versions.byId)
      .map(Number)
      .filter((id) => judgeAnswer(versions, id, requestedAt) === "again"),
  };
}

function versionOf(versions: GroupVersions, id: number): GroupVersion {
  return versions.byId[id] ?? NEVER;
}
