import * as z from "zod/mini";
import { adminGroup, adminGroupMember } from "../admin-entities.ts";
import { endpoint } from "../endpoint.ts";
import { BAN_REASON_MAX } from "../limits.ts";
import { anyText, id, idParam, visibleText } from "../text.ts";
import { pageOf, pageQuery } from "./admin-fields.ts";

const group = { groupId: id() };

export const listAllGroups = endpoint({
  method: "GET",
  path: "/admin/groups",
  auth: "admin",
  summary: "Groups, newest first; the query is the beginning of a name, or an id",
  query: z.object({ ...pageQuery(), query: z.optional(anyText()) }),
  answer: pageOf(adminGroup),
});

export const listMembersOfGroup = endpoint({
  method: "GET",
  path: "/admin/groups/members",
  auth: "admin",
  summary: "The members of a group: owner, admins, then the others",
  query: z.object({ groupId: idParam(), ...pageQuery() }),
  answer: pageOf(adminGroupMember),
});

export const banGroup = endpoint({
  method: "POST",
  path: "/admin/groups/ban",
  auth: "admin",
  summary: "Stop all messages in a group and tell its members the reason",
  body: z.object({ ...group, reason: visibleText(BAN_REASON_MAX) }),
  answer: z.null(),
});

export const unbanGroup = endpoint({
  method: "POST",
  path: "/admin/groups/unban",
  auth: "admin",
  summary: "Let the members of a banned group write again",
  body: z.object(group),
  answer: z.null(),
});

export const dissolveAnyGroup = endpoint({
  method: "POST",
  path: "/admin/groups/dissolve",
  auth: "admin",
  summary: "Dissolve a group for good",
  body: z.object(group),
  answer: z.null(),
});

export const setGroupLarge = endpoint({
  method: "POST",
  path: "/admin/groups/large",
  auth: "admin",
  summary: "Whether a group takes as many members as a large one (3000) or as any other (500)",
  body: z.object({ ...group, isLarge: z.boolean() }),
  answer: z.null(),
});
