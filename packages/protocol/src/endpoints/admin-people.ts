import * as z from "zod/mini";
import { adminPerson, adminSession, PEOPLE_STATES } from "../admin-entities.ts";
import { endpoint } from "../endpoint.ts";
import { tokenPair } from "../entities.ts";
import { isUserName } from "../fields.ts";
import { BAN_REASON_MAX, NICK_NAME_MAX, SETUP_TOKEN_MAX, USER_NAME_MAX } from "../limits.ts";
import { newPassword } from "../password.ts";
import { anyText, id, idParam, text, visibleText } from "../text.ts";
import { pageOf, pageQuery } from "./admin-fields.ts";

const userName = () =>
  text(USER_NAME_MAX, 1).check(z.refine(isUserName, { error: "letters and digits only" }));
const nickName = () => visibleText(NICK_NAME_MAX);
const person = { userId: id() };

/** Makes the first administrator by the one-time link that the server has printed; answers as a login does. */
export const setUpAdmin = endpoint({
  method: "POST",
  path: "/admin/setup",
  auth: "open",
  summary: "Make the first administrator with the token of the one-time link",
  body: z.object({
    terminal: z.union([z.literal(0), z.literal(1), z.literal(2)], { error: "not a terminal" }),
    token: text(SETUP_TOKEN_MAX, 1),
    userName: userName(),
    nickName: nickName(),
    password: newPassword(),
  }),
  answer: tokenPair,
});

export const listPeople = endpoint({
  method: "GET",
  path: "/admin/people",
  auth: "admin",
  summary: "People, newest first; the query is the beginning of a user name or nickname, or an id",
  query: z.object({ ...pageQuery(), query: z.optional(anyText()), state: z.optional(z.enum(PEOPLE_STATES)) }),
  answer: pageOf(adminPerson),
});

export const createPerson = endpoint({
  method: "POST",
  path: "/admin/people",
  auth: "admin",
  summary: "Register a person; without a password the server makes one and answers it this once",
  body: z.object({
    userName: userName(),
    nickName: nickName(),
    password: z.optional(z.nullable(newPassword())),
  }),
  answer: z.object({ userId: id(), password: z.nullable(z.string()) }),
});

export const banPerson = endpoint({
  method: "POST",
  path: "/admin/people/ban",
  auth: "admin",
  summary: "Log a person out and keep them out; banning again replaces the reason",
  body: z.object({ ...person, reason: visibleText(BAN_REASON_MAX) }),
  answer: z.null(),
});

export const unbanPerson = endpoint({
  method: "POST",
  path: "/admin/people/unban",
  auth: "admin",
  summary: "Let a banned person in again",
  body: z.object(person),
  answer: z.null(),
});

export const resetPersonPassword = endpoint({
  method: "POST",
  path: "/admin/people/password",
  auth: "admin",
  summary: "Give a person a new password, which is answered this once, and end all of their sessions",
  body: z.object(person),
  answer: z.object({ password: z.string() }),
});

export const listPersonSessions = endpoint({
  method: "GET",
  path: "/admin/people/sessions",
  auth: "admin",
  summary: "Where a person is logged in",
  query: z.object({ userId: idParam() }),
  answer: z.array(adminSession),
});

export const endPersonSessions = endpoint({
  method: "DELETE",
  path: "/admin/people/sessions",
  auth: "admin",
  summary: "End one session of a person; without an id all of them",
  query: z.object({ userId: idParam(), id: z.optional(text(64, 1)) }),
  answer: z.null(),
});

export const unregisterPerson = endpoint({
  method: "POST",
  path: "/admin/people/unregister",
  auth: "admin",
  summary: "Close a person's account for good; the user name stays taken",
  body: z.object(person),
  answer: z.null(),
});

export const grantAdmin = endpoint({
  method: "POST",
  path: "/admin/people/grant-admin",
  auth: "admin",
  summary: "Make a person an administrator",
  body: z.object(person),
  answer: z.null(),
});

export const revokeAdmin = endpoint({
  method: "POST",
  path: "/admin/people/revoke-admin",
  auth: "admin",
  summary: "Take the role of an administrator away; the last one keeps it",
  body: z.object(person),
  answer: z.null(),
});
