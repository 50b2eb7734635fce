import { describe, expect, test } from "vitest";
import { groupVO } from "../../testing/builders.ts";
import {
  groupChanged,
  groupFound,
  type GroupVersions,
  hasChangedSince,
  judgeAnswer,
  mergeGroupList,
  nextVersion,
  NO_VERSIONS,
} from "./group-versions.ts";

/** What follows a request: the versions after these steps, and the number of the request. */
function afterRequest(...steps: ((versions: GroupVersions) => GroupVersions)[]) {
  const requested = nextVersion(groupFound(groupChanged(NO_VERSIONS, 1, true), 1, 1));
  return {
    versions: steps.reduce((versions, step) => step(versions), requested),
    requestedAt: requested.latest,
  };
}

const acted = (versions: GroupVersions) => groupChanged(versions, 1, false);
const pushed = (versions: GroupVersions) => groupChanged(versions, 1, true);
/** A later request for the same group is answered. */
const foundLater = (versions: GroupVersions) => {
  const requested = nextVersion(versions);
  return groupFound(requested, 1, requested.latest);
};
/** A later request for all groups is answered. */
const listedLater = (versions: GroupVersions) => {
  const requested = nextVersion(versions);
  return mergeGroupList(requested, {}, [], requested.latest).versions;
};

test("G9 a group has changed since a number only if it changed after that number was given", () => {
  const { versions, requestedAt } = afterRequest();
  expect(hasChangedSince(versions, 1, requestedAt)).toBe(false);
  const changed = acted(versions);
  expect(hasChangedSince(changed, 1, requestedAt)).toBe(true);
  expect(hasChangedSince(changed, 1, changed.latest)).toBe(false);
  expect(hasChangedSince(changed, 2, requestedAt)).toBe(false);
});

describe("G9 the answer to a request for one group", () => {
  test.each([
    ["is applied if nothing happened meanwhile", [], "apply"],
    ["is requested again after an action of this client", [acted], "again"],
    ["is dropped after a push of the whole group", [pushed], "drop"],
    ["is dropped after a push and an action", [pushed, acted], "drop"],
    ["is dropped if a later request was answered first", [foundLater], "drop"],
    ["is dropped if a later request for all groups was answered first", [listedLater], "drop"],
    ["is requested again after an action, whatever was answered first", [foundLater, acted], "again"],
  ] as const)("%s", (_title, steps, verdict) => {
    const { versions, requestedAt } = afterRequest(...steps);
    expect(judgeAnswer(versions, 1, requestedAt)).toBe(verdict);
  });

  test("is applied whatever happened to another group", () => {
    const { versions, requestedAt } = afterRequest((before) => groupChanged(before, 2, false));
    expect(judgeAnswer(versions, 1, requestedAt)).toBe("apply");
  });
});

describe("G8 the answer to a request for all groups", () => {
  const known = { 1: groupVO({ id: 1, name: "known" }), 2: groupVO({ id: 2, name: "known" }) };
  const listed = groupVO({ id: 1, name: "listed" });

  test("replaces the groups that are known", () => {
    const { versions, requestedAt } = afterRequest();
    const merged = mergeGroupList(versions, known, [listed], requestedAt);
    expect(merged).toEqual({
      versions: { ...versions, listedAt: requestedAt },
      groups: [listed],
      incompleteIds: [],
    });
  });

  test.each([
    ["an action of this client", acted, [1]],
    ["a push", pushed, []],
    ["a later answer", foundLater, []],
  ] as const)("leaves a group as it is after %s", (_what, step, incompleteIds) => {
    const { versions, requestedAt } = afterRequest(step);
    const merged = mergeGroupList(versions, known, [listed], requestedAt);
    expect(merged.groups).toEqual([known[1]]);
    expect(merged.incompleteIds).toEqual(incompleteIds);
  });

  test("brings a group that has changed since and is not known", () => {
    const { versions, requestedAt } = afterRequest(acted);
    expect(mergeGroupList(versions, {}, [listed], requestedAt).groups).toEqual([listed]);
  });

  test("does not remove a group that was added since", () => {
    const { versions, requestedAt } = afterRequest((before) => groupChanged(before, 2, true));
    const merged = mergeGroupList(versions, known, [listed], requestedAt);
    expect(merged.groups).toEqual([listed, known[2]]);
    expect(merged.incompleteIds).toEqual([]);
  });
});
