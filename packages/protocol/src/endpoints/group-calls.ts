import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { groupCallInfo } from "../entities.ts";
import { CALL_PEOPLE_MAX, CALL_REASON_MAX } from "../limits.ts";
import { id, idParam, text } from "../text.ts";
import { groupCallDescription } from "./call-description.ts";

/** Calls in a group (spec §4, §7). Of people in `userInfos` only the id is read. */

const inGroup = () => z.object({ groupId: idParam() });
const userInfos = () => z.array(z.looseObject({ id: id() })).check(z.maxLength(CALL_PEOPLE_MAX));

export const setupGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/setup",
  auth: "token",
  summary: "Call members of a group",
  body: z.object({ groupId: id(), userInfos: userInfos() }),
  answer: z.null(),
});

export const acceptGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/accept",
  auth: "token",
  summary: "Accept the call of a group that rings",
  query: inGroup(),
  answer: z.null(),
});

export const rejectGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/reject",
  auth: "token",
  summary: "Reject the call of a group that rings",
  query: inGroup(),
  answer: z.null(),
});

export const failGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/failed",
  auth: "token",
  summary: "Say that this device cannot take the call of a group",
  body: z.object({ groupId: id(), reason: z.optional(text(CALL_REASON_MAX)) }),
  answer: z.null(),
});

export const joinGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/join",
  auth: "token",
  summary: "Join the running call of a group",
  query: inGroup(),
  answer: z.null(),
});

export const inviteToGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/invite",
  auth: "token",
  summary: "Invite more members of the group to its call",
  body: z.object({ groupId: id(), userInfos: userInfos() }),
  answer: z.null(),
});

export const sendGroupOffer = endpoint({
  method: "POST",
  path: "/webrtc/group/offer",
  auth: "token",
  summary: "Send somebody in the call a session description",
  body: z.object({ groupId: id(), userId: id(), offer: groupCallDescription() }),
  answer: z.null(),
});

export const sendGroupAnswer = endpoint({
  method: "POST",
  path: "/webrtc/group/answer",
  auth: "token",
  summary: "Answer the session description of somebody in the call",
  body: z.object({ groupId: id(), userId: id(), answer: groupCallDescription() }),
  answer: z.null(),
});

export const sendGroupCandidate = endpoint({
  method: "POST",
  path: "/webrtc/group/candidate",
  auth: "token",
  summary: "Send somebody in the call a candidate for the connection",
  body: z.object({ groupId: id(), userId: id(), candidate: groupCallDescription() }),
  answer: z.null(),
});

export const setGroupCallDevice = endpoint({
  method: "POST",
  path: "/webrtc/group/device",
  auth: "token",
  summary: "Tell the others in the call which of my devices are on",
  body: z.object({
    groupId: id(),
    /** Also while a screen is shared, for clients that know of cameras only. */
    isCamera: z.boolean(),
    isMicroPhone: z.boolean(),
    isShareScreen: z.optional(z.boolean()),
  }),
  answer: z.null(),
});

export const quitGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/quit",
  auth: "token",
  summary: "Leave the call of a group",
  query: inGroup(),
  answer: z.null(),
});

export const cancelGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/cancel",
  auth: "token",
  summary: "End the call of a group that I have started",
  query: inGroup(),
  answer: z.null(),
});

export const beatGroupCall = endpoint({
  method: "POST",
  path: "/webrtc/group/heartbeat",
  auth: "token",
  summary: "Say that this client is still in the call of a group",
  query: inGroup(),
  answer: z.null(),
});

export const findGroupCall = endpoint({
  method: "GET",
  path: "/webrtc/group/info",
  auth: "token",
  summary: "The running call of a group",
  query: inGroup(),
  answer: groupCallInfo,
});
