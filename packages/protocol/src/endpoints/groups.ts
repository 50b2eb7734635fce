import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { groupCard, groupMemberVO, groupRequestVO, groupVO } from "../entities.ts";
import {
  ATTRIBUTE_KEY_MAX,
  ATTRIBUTE_VALUE_MAX,
  ATTRIBUTES_MAX,
  GROUP_NAME_MAX,
  MEMBER_BATCH_MAX,
  NOTICE_MAX,
  REMARK_MAX,
  TMP_ID_MAX,
} from "../limits.ts";
import { anyText, id, idParam, isVisible, text, time, visibleText } from "../text.ts";

/** Who may invite, edit or set attributes: 1 everyone, 2 admins. */
const groupRight = () => z.union([z.literal(1), z.literal(2)], { error: "neither 1 nor 2" });
/** `JoinMode`. */
const joinMode = () =>
  z.union([z.literal(1), z.literal(2), z.literal(3)], { error: "neither 1 nor 2 nor 3" });
const groupName = () => visibleText(GROUP_NAME_MAX);
const people = () =>
  z
    .array(id())
    .check(
      z.minLength(1, { error: "must not be empty" }),
      z.maxLength(MEMBER_BATCH_MAX, { error: `more than ${MEMBER_BATCH_MAX}` }),
    );
const groupAndPeople = z.object({ groupId: id(), userIds: people() });
const byId = z.object({ id: idParam() });
const mayBeAbsent = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

export const createGroup = endpoint({
  method: "POST",
  path: "/group/create",
  auth: "token",
  summary:
    "Make a group, with friends of mine as its first members; the same tmpId again answers the same group",
  body: z.object({
    tmpId: mayBeAbsent(text(TMP_ID_MAX)),
    name: groupName(),
    headImage: mayBeAbsent(anyText()),
    headImageThumb: mayBeAbsent(anyText()),
    memberIds: mayBeAbsent(
      z.array(id()).check(z.maxLength(MEMBER_BATCH_MAX, { error: `more than ${MEMBER_BATCH_MAX}` })),
    ),
    /** Without it, what the server says (`group.joinMode` of its config). */
    joinMode: mayBeAbsent(joinMode()),
    /** Without it, people outside do not find the group. */
    isFindable: mayBeAbsent(z.boolean()),
  }),
  answer: groupVO,
});

/** Existing clients send the whole group; absent fields stay as they are. */
export const modifyGroup = endpoint({
  method: "PUT",
  path: "/group/modify",
  auth: "token",
  summary: "Change a group as far as I may: my own remarks, its card, its attributes",
  body: z.object({
    id: id(),
    name: z.optional(groupName()),
    headImage: mayBeAbsent(anyText()),
    headImageThumb: mayBeAbsent(anyText()),
    notice: mayBeAbsent(text(NOTICE_MAX)),
    remarkGroupName: mayBeAbsent(text(REMARK_MAX)),
    remarkNickName: mayBeAbsent(text(REMARK_MAX)),
    attributes: mayBeAbsent(
      z.record(visibleText(ATTRIBUTE_KEY_MAX), text(ATTRIBUTE_VALUE_MAX)).check(
        z.refine((map) => Object.keys(map).length <= ATTRIBUTES_MAX, {
          error: `more than ${ATTRIBUTES_MAX}`,
        }),
      ),
    ),
  }),
  answer: groupVO,
});

export const setGroupSettings = endpoint({
  method: "PUT",
  path: "/group/settings",
  auth: "token",
  summary:
    "Who may invite, edit and set attributes, how people join, and whether they find the group; absent ones stay",
  body: z.object({
    groupId: id(),
    inviteRole: z.optional(groupRight()),
    editRole: z.optional(groupRight()),
    attrRole: z.optional(groupRight()),
    /** Older clients: false is free, true is with approval unless joining is by invitation already. */
    joinApproval: z.optional(z.boolean()),
    joinMode: z.optional(joinMode()),
    isFindable: z.optional(z.boolean()),
  }),
  answer: z.null(),
});

export const inviteToGroup = endpoint({
  method: "POST",
  path: "/group/invite",
  auth: "token",
  summary: "Bring friends of mine in, or ask for it where joining needs approval, and for whom was removed",
  body: z.object({ groupId: id(), friendIds: people() }),
  answer: z.null(),
});

/** Answers with status 2 if the person has joined immediately. */
export const applyGroup = endpoint({
  method: "POST",
  path: "/group/request/apply",
  auth: "token",
  summary: "Join a group that I may see by its number, or ask for it where joining needs approval",
  body: z.object({ groupId: id(), remark: mayBeAbsent(text(REMARK_MAX)) }),
  answer: groupRequestVO,
});

export const approveGroupRequest = endpoint({
  method: "POST",
  path: "/group/request/approve",
  auth: "token",
  summary: "Let a person in",
  query: byId,
  answer: z.null(),
});

export const rejectGroupRequest = endpoint({
  method: "POST",
  path: "/group/request/reject",
  auth: "token",
  summary: "Turn a request to join down",
  query: byId,
  answer: z.null(),
});

export const listGroupRequests = endpoint({
  method: "GET",
  path: "/group/request/list",
  auth: "token",
  summary: "Pending requests: of groups that I lead, and my own",
  answer: z.array(groupRequestVO),
});

export const findGroupsByName = endpoint({
  method: "GET",
  path: "/group/findByName",
  auth: "token",
  summary: "At most 20 groups that can be found, or that I was in, by number or a part of the name",
  query: z.object({ name: anyText().check(z.refine(isVisible, { error: "must not be empty" })) }),
  answer: z.array(groupCard),
});

export const removeGroupMembers = endpoint({
  method: "DELETE",
  path: "/group/members/remove",
  auth: "token",
  summary: "Remove members, with what they wrote if asked",
  body: z.extend(groupAndPeople, { deleteMessages: mayBeAbsent(z.boolean()) }),
  answer: z.null(),
});

export const muteGroupMembers = endpoint({
  method: "PUT",
  path: "/group/members/muted",
  auth: "token",
  summary: "Mute members, or let them speak again",
  body: z.extend(groupAndPeople, { isMuted: z.boolean() }),
  answer: z.null(),
});

export const muteGroup = endpoint({
  method: "PUT",
  path: "/group/muted",
  auth: "token",
  summary: "Global mute: only the owner may speak",
  body: z.object({ id: id(), isMuted: z.boolean() }),
  answer: z.null(),
});

export const addGroupManagers = endpoint({
  method: "POST",
  path: "/group/manager/add",
  auth: "token",
  summary: "Make members admins",
  body: groupAndPeople,
  answer: z.null(),
});

export const removeGroupManagers = endpoint({
  method: "DELETE",
  path: "/group/manager/remove",
  auth: "token",
  summary: "Make admins ordinary members",
  body: groupAndPeople,
  answer: z.null(),
});

export const transferGroup = endpoint({
  method: "PUT",
  path: "/group/transfer",
  auth: "token",
  summary: "Hand a group of mine over to a member",
  body: z.object({ groupId: id(), userId: id() }),
  answer: z.null(),
});

export const quitGroup = endpoint({
  method: "DELETE",
  path: "/group/quit/:id",
  auth: "token",
  summary: "Leave a group",
  params: byId,
  answer: z.null(),
});

export const dissolveGroup = endpoint({
  method: "DELETE",
  path: "/group/delete/:id",
  auth: "token",
  summary: "Dissolve a group of mine",
  params: byId,
  answer: z.null(),
});

/** Includes groups that I have left (`quit`) and dissolved groups (`dissolve`), so that old chats keep their names. */
export const listGroups = endpoint({
  method: "GET",
  path: "/group/list",
  auth: "token",
  summary: "My groups",
  answer: z.array(groupVO),
});

/**
 * A current or former member gets everything. Other people get only the card, and only of a group that can be found or that they have asked to
 * join; any other group is answered as a number that no group has.
 */
export const findGroup = endpoint({
  method: "GET",
  path: "/group/find/:id",
  auth: "token",
  summary: "One group",
  params: byId,
  answer: z.union([groupVO, groupCard]),
});

/** Includes members who have left (`quit`), so that their messages keep their names; but only people who were in the group at the same time as the caller. */
export const listGroupMembers = endpoint({
  method: "GET",
  path: "/group/members/:id",
  auth: "token",
  summary: "Members of a group that I am in or was in",
  params: byId,
  answer: z.array(groupMemberVO),
});

export const setGroupMsgRemind = endpoint({
  method: "PUT",
  path: "/group/msgRemind",
  auth: "token",
  summary:
    "0 alerts always, 1 only what admins and the owner write, 2 never; with `until` for a time, after which the level before follows",
  body: z.object({
    groupId: id(),
    msgRemind: z.union([z.literal(0), z.literal(1), z.literal(2)], { error: "none of 0, 1, 2" }),
    until: mayBeAbsent(time()),
  }),
  answer: z.null(),
});

export const setGroupTop = endpoint({
  method: "PUT",
  path: "/group/top",
  auth: "token",
  summary: "Pin or unpin a group for me",
  body: z.object({ groupId: id(), isTop: z.boolean() }),
  answer: z.null(),
});

export const setGroupDnd = endpoint({
  method: "PUT",
  path: "/group/dnd",
  auth: "token",
  summary: "Never alert, or always; older clients",
  body: z.object({ groupId: id(), isDnd: z.boolean() }),
  answer: z.null(),
});
