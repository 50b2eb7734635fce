import * as z from "zod/mini";
import { catch as otherwise } from "zod/mini";
import { MessageType } from "./codes.ts";
import { groupCallPerson } from "./entities.ts";
import { absentIfInvalid, json } from "./received-push.ts";
import { id } from "./text.ts";

/**
 * Signals of calls as a client reads them: only the fields that it needs have to be valid, because other servers leave fields out. Whether
 * one has sent it oneself, on another client, is told by `sendId`.
 */

/** What browsers say to each other about the connection of a call. */
const description = () => json(z.record(z.string(), z.unknown()));

/** Which devices of the sender are on. */
const devices = () =>
  json(
    z.object({
      isCamera: z.boolean(),
      isMicroPhone: z.boolean(),
      isShareScreen: absentIfInvalid(z.boolean()),
    }),
  );

const betweenPeople = { sendId: id(), recvId: id() };

/** A signal of a call between two people. */
export const receivedPrivateCall = z.discriminatedUnion("type", [
  z.object({
    type: z.literal([
      MessageType.RTC_SETUP_VOICE,
      MessageType.RTC_SETUP_VIDEO,
      MessageType.RTC_REJECT,
      MessageType.RTC_CANCEL,
      MessageType.RTC_HANDUP,
    ]),
    ...betweenPeople,
  }),
  z.object({
    type: z.literal([MessageType.RTC_ACCEPT, MessageType.RTC_FAILED]),
    ...betweenPeople,
    content: absentIfInvalid(z.string()),
  }),
  z.object({
    type: z.literal([MessageType.RTC_OFFER, MessageType.RTC_ANSWER, MessageType.RTC_CANDIDATE]),
    ...betweenPeople,
    content: description(),
  }),
  z.object({
    type: z.literal(MessageType.RTC_DEVICE),
    ...betweenPeople,
    content: devices(),
  }),
]);
export type ReceivedPrivateCall = z.output<typeof receivedPrivateCall>;

const inCallOfGroup = { sendId: id(), groupId: id() };

/** The people in the call of a group. Other servers say less about them. */
const person = z.object({
  id: id(),
  nickName: otherwise(groupCallPerson.shape.nickName, ""),
  headImage: otherwise(groupCallPerson.shape.headImage, null),
  isIn: otherwise(z.boolean(), false),
  isCamera: otherwise(z.boolean(), false),
  isMicroPhone: otherwise(z.boolean(), false),
  isShareScreen: otherwise(z.boolean(), false),
});

/** A signal of the call of a group. */
export const receivedGroupCall = z.discriminatedUnion("type", [
  z.object({
    type: z.literal([
      MessageType.RTC_GROUP_ACCEPT,
      MessageType.RTC_GROUP_REJECT,
      MessageType.RTC_GROUP_CANCEL,
      MessageType.RTC_GROUP_QUIT,
    ]),
    ...inCallOfGroup,
  }),
  z.object({
    type: z.literal([MessageType.RTC_GROUP_SETUP, MessageType.RTC_GROUP_INVITE]),
    ...inCallOfGroup,
    content: json(z.array(person)),
  }),
  z.object({
    type: z.literal(MessageType.RTC_GROUP_FAILED),
    ...inCallOfGroup,
    content: json(z.object({ userIds: z.array(id()), reason: otherwise(z.string(), "") })),
  }),
  z.object({ type: z.literal(MessageType.RTC_GROUP_JOIN), ...inCallOfGroup, content: json(person) }),
  z.object({
    type: z.literal([
      MessageType.RTC_GROUP_OFFER,
      MessageType.RTC_GROUP_ANSWER,
      MessageType.RTC_GROUP_CANDIDATE,
    ]),
    ...inCallOfGroup,
    content: description(),
  }),
  z.object({
    type: z.literal(MessageType.RTC_GROUP_DEVICE),
    ...inCallOfGroup,
    content: devices(),
  }),
]);
export type ReceivedGroupCall = z.output<typeof receivedGroupCall>;
