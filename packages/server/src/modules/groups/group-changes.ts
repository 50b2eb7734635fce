/** What a call that posts a group changes. Clients may post a whole group to change one value. */
import type { BodyOf } from "@parley/protocol/endpoint";
import type { modifyGroup } from "@parley/protocol/endpoints/groups";
import { visibleOrNull } from "@parley/protocol/text";
import type { GroupMemberPatch, GroupMemberRow, GroupPatch, GroupRow } from "../../ports/group-store.ts";

type Modified = BodyOf<typeof modifyGroup>;

/** The changed values by the right that they need. */
export interface GroupChanges {
  /** The member's own names in and for the group. */
  preferences: GroupMemberPatch;
  /** Name, pictures and notice. */
  info: GroupPatch;
  attributes: GroupPatch;
}

/** The values that differ from the stored ones. */
export function changesOf(body: Modified, group: GroupRow, me: GroupMemberRow): GroupChanges {
  const preferences = {
    remarkGroupName: shownOrNull(body.remarkGroupName),
    remarkNickName: shownOrNull(body.remarkNickName),
  };
  const info = {
    name: body.name,
    headImage: orNull(body.headImage),
    headImageThumb: orNull(body.headImageThumb),
    notice: shownOrNull(body.notice),
  };
  return {
    preferences: changed(preferences, me),
    info: changed(info, group),
    attributes: changedAttributes(body, group),
  };
}

function changedAttributes({ attributes }: Modified, group: GroupRow): GroupPatch {
  if (attributes === undefined) return {};
  const next = attributes ?? {};
  const keys = Object.keys(next);
  const isSame =
    keys.length === Object.keys(group.attributes).length &&
    keys.every((key) => Object.hasOwn(group.attributes, key) && group.attributes[key] === next[key]);
  return isSame ? {} : { attributes: next };
}

/** Undefined stays undefined, and a remark or a notice that shows nothing becomes null. */
function shownOrNull(text: string | null | undefined): string | null | undefined {
  return text === undefined ? undefined : visibleOrNull(text);
}

/** Undefined stays undefined, and an empty text becomes null. */
function orNull(text: string | null | undefined): string | null | undefined {
  return text === undefined ? undefined : text || null;
}

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops the properties that are undefined. */
export function withoutUndefined<T extends object>(values: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}

/** The values that differ from `before`. */
function changed<T extends object>(values: T, before: { [K in keyof T]: unknown }): WithoutUndefined<T> {
  const entries = Object.entries(withoutUndefined(values));
  return Object.fromEntries(
    entries.filter(([key, value]) => before[key as keyof T] !== value),
  ) as WithoutUndefined<T>;
}

/** Whether a patch changes anything. */
export function hasEntries(patch: object): boolean {
  return Object.keys(patch).length > 0;
}
