import * as z from "zod/mini";
import type { FindableBy } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { onlineStatus, userInfo } from "../entities.ts";
import { isEmail, isMobileNumber } from "../fields.ts";
import {
  EMAIL_MAX,
  MOBILE_NUMBER_DIGITS,
  NICK_NAME_MAX,
  ONLINE_QUERY_MAX,
  SIGNATURE_MAX,
} from "../limits.ts";
import { anyText, flagParam, id, idListParam, idParam, isVisible, text, visibleText } from "../text.ts";

export const self = endpoint({
  method: "GET",
  path: "/user/self",
  auth: "token",
  summary: "My own user info",
  answer: userInfo,
});

export const findUser = endpoint({
  method: "GET",
  path: "/user/find/:id",
  auth: "token",
  summary: "The user info of a person whom I may know of",
  params: z.object({ id: idParam() }),
  answer: userInfo,
});

export const findUsersByName = endpoint({
  method: "GET",
  path: "/user/findByName",
  auth: "token",
  summary: "At most 20 people by a part of user name or nickname, as far as they let themselves be found",
  query: z.object({ name: anyText().check(z.refine(isVisible, { error: "must not be empty" })) }),
  answer: z.array(userInfo),
});

/** `FindableBy` in a query string. */
const findableByParam = () =>
  z.pipe(
    z.enum(["1", "2", "3"], { error: "neither 1 nor 2 nor 3" }),
    z.transform((value) => Number(value) as FindableBy),
  );

const mayBeEmpty = (max: number) => z.optional(z.nullable(text(max)));

/** Existing clients send the whole user info; only these fields are used, the others are ignored. */
export const updateUser = endpoint({
  method: "PUT",
  path: "/user/update",
  auth: "token",
  summary: "Change my own profile",
  body: z.object({
    /** Only my own. */
    id: z.optional(id()),
    nickName: z.optional(visibleText(NICK_NAME_MAX)),
    sex: z.optional(z.nullable(z.union([z.literal(0), z.literal(1)], { error: "neither 0 nor 1" }))),
    signature: mayBeEmpty(SIGNATURE_MAX),
    /** YYYY-MM-DD. The server checks with its clock that it is a real day up to this year (`isBirthday`). */
    birthday: mayBeEmpty(10),
    mobile: mayBeEmpty(MOBILE_NUMBER_DIGITS).check(
      z.refine((v) => !v || isMobileNumber(v), { error: "not a mobile number" }),
    ),
    email: mayBeEmpty(EMAIL_MAX).check(z.refine((v) => !v || isEmail(v), { error: "not an email address" })),
    headImage: z.optional(z.nullable(anyText())),
    headImageThumb: z.optional(z.nullable(anyText())),
  }),
  answer: z.null(),
});

export const setManualApprove = endpoint({
  method: "PUT",
  path: "/user/manualApprove",
  auth: "token",
  summary: "Whether people need my approval to become friends",
  query: z.object({ enabled: flagParam() }),
  answer: z.null(),
});

export const setFindableBy = endpoint({
  method: "PUT",
  path: "/user/findableBy",
  auth: "token",
  summary: "By what the search for people finds me: 1 any of my names, 2 my complete user name, 3 nothing",
  query: z.object({ by: findableByParam() }),
  answer: z.null(),
});

export const setReadReceipts = endpoint({
  method: "PUT",
  path: "/user/readReceipts",
  auth: "token",
  summary: "Whether others are told what I have read in private chats, and I what they have",
  query: z.object({ enabled: flagParam() }),
  answer: z.null(),
});

export const setLastSeenShown = endpoint({
  method: "PUT",
  path: "/user/lastSeenShown",
  auth: "token",
  summary: "Whether friends are told when I was last seen, and I when they were",
  query: z.object({ enabled: flagParam() }),
  answer: z.null(),
});

/** In epoch ms to the minute. Null: it is not known, or I may not know. */
export const findLastSeen = endpoint({
  method: "GET",
  path: "/user/lastSeen",
  auth: "token",
  summary: "When a friend was last seen",
  query: z.object({ userId: idParam() }),
  answer: z.nullable(z.number()),
});

export const findOnlineTerminals = endpoint({
  method: "GET",
  path: "/user/terminal/online",
  auth: "token",
  summary: "Who of these people is online; only people I may know of",
  query: z.object({ userIds: idListParam(ONLINE_QUERY_MAX) }),
  answer: z.array(onlineStatus),
});

export const flushAllMessages = endpoint({
  method: "GET",
  path: "/user/flushAllMessage",
  auth: "token",
  summary: "Clear my copy of all chats: nothing up to now is shown to me again",
  writes: true,
  answer: z.null(),
});
