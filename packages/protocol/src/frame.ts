import * as z from "zod/mini";
import { Cmd } from "./codes.ts";
import { LOGOUT_REASONS } from "./envelope.ts";
import { groupMessage, privateMessage, systemMessage } from "./message.ts";
import { groupSignal, privateSignal, systemSignal } from "./signal.ts";
import { text } from "./text.ts";

/** What a client may declare at its login so that the server sends what older clients do not know. */
export const CAPABILITIES = ["changes", "rtc110", "rtcEarlyOffer", "extras", "typing"] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Data of the login frame. The terminal comes from the token. */
export const loginData = z.object({
  accessToken: z.string(),
  devId: z.optional(z.nullable(text(64))),
  clientId: z.optional(z.nullable(text(64))),
  caps: z.optional(z.nullable(z.array(z.string()).check(z.maxLength(20)))),
});
export type LoginData = z.output<typeof loginData>;

/** Frames from the client: the login first, then heartbeats. Messages are never sent over the socket. */
export const clientFrame = z.discriminatedUnion("cmd", [
  z.object({ cmd: z.literal(Cmd.LOGIN), data: loginData }),
  z.object({ cmd: z.literal(Cmd.HEARTBEAT), data: z.optional(z.unknown()) }),
]);
export type ClientFrame = z.output<typeof clientFrame>;

/** Frames from the server (spec §7): replies to the login and to heartbeats, the end of the session, rows and signals. */
export const serverFrame = z.discriminatedUnion("cmd", [
  z.object({ cmd: z.literal(Cmd.LOGIN), data: z.object({ epoch: z.string() }) }),
  z.object({ cmd: z.literal(Cmd.HEARTBEAT), data: z.null() }),
  z.object({ cmd: z.literal(Cmd.FORCED_LOGOUT), data: z.string(), reason: z.enum(LOGOUT_REASONS) }),
  z.object({ cmd: z.literal(Cmd.PRIVATE), data: z.union([privateSignal, privateMessage]) }),
  z.object({ cmd: z.literal(Cmd.GROUP), data: z.union([groupSignal, groupMessage]) }),
  z.object({ cmd: z.literal(Cmd.SYSTEM), data: z.union([systemSignal, systemMessage]) }),
]);
export type ServerFrame = z.output<typeof serverFrame>;
