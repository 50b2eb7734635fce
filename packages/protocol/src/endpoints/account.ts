import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { displaySettings, sessionVO, systemConfig, tokenPair } from "../entities.ts";
import { isUserName } from "../fields.ts";
import { DEVICE_TEXT_MAX, NICK_NAME_MAX, USER_NAME_MAX } from "../limits.ts";
import { newPassword } from "../password.ts";
import { anyText, text, visibleText } from "../text.ts";

const terminal = () => z.union([z.literal(0), z.literal(1), z.literal(2)], { error: "not a terminal" });
const fileUrl = () => z.optional(z.nullable(anyText()));

export const login = endpoint({
  method: "POST",
  path: "/login",
  auth: "open",
  summary: "Log in with user name and password",
  body: z.object({ terminal: terminal(), userName: anyText(), password: anyText() }),
  answer: tokenPair,
});

export const logout = endpoint({
  method: "POST",
  path: "/logout",
  auth: "token",
  summary: "End this session",
  answer: z.null(),
});

/** Reads the header `refreshToken`. A failure has code 500, never 401. */
export const refreshToken = endpoint({
  method: "PUT",
  path: "/refreshToken",
  auth: "open",
  summary: "Exchange a refresh token for a new pair",
  answer: tokenPair,
});

export const register = endpoint({
  method: "POST",
  path: "/register",
  auth: "open",
  summary: "Register an account",
  body: z.object({
    terminal: z.optional(z.nullable(terminal())),
    userName: text(USER_NAME_MAX, 1).check(z.refine(isUserName, { error: "letters and digits only" })),
    nickName: visibleText(NICK_NAME_MAX),
    password: newPassword(),
    confirmPassword: z.optional(z.nullable(anyText())),
    registerDevice: z.optional(z.nullable(text(DEVICE_TEXT_MAX))),
    spreadCode: z.optional(z.nullable(anyText())),
    headImage: fileUrl(),
    headImageThumb: fileUrl(),
  }),
  answer: z.null(),
});

export const modifyPwd = endpoint({
  method: "PUT",
  path: "/modifyPwd",
  auth: "token",
  summary: "Change the password; ends the other sessions",
  body: z.object({ oldPassword: anyText(), newPassword: newPassword() }),
  answer: z.null(),
});

export const loadGlobalSetting = endpoint({
  method: "GET",
  path: "/globalSetting/load",
  auth: "open",
  summary: "What the register screen asks for",
  answer: displaySettings,
});

export const loadSystemConfig = endpoint({
  method: "GET",
  path: "/system/config",
  auth: "token",
  summary: "Limits and windows a client works by",
  answer: systemConfig,
});

export const listSessions = endpoint({
  method: "GET",
  path: "/user/sessions",
  auth: "token",
  summary: "Where I am logged in",
  answer: z.array(sessionVO),
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/user/sessions",
  auth: "token",
  summary: "End one of my sessions; without an id all but this one",
  query: z.object({ id: z.optional(text(64, 1)) }),
  answer: z.null(),
});

export const unregister = endpoint({
  method: "DELETE",
  path: "/unregister",
  auth: "token",
  summary: "Close my account for good; needs the password once more, except shortly after the login",
  body: z.nullish(z.object({ password: z.nullish(anyText()) })),
  answer: z.null(),
});
