import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { callMode, privateCallInfo } from "../entities.ts";
import { CALL_REASON_MAX, CALL_SIGNALS_MAX } from "../limits.ts";
import { id, idParam, text } from "../text.ts";
import { callDescription } from "./call-description.ts";

/** Calls between two people (spec §4, §7). `uid` is the other person. */

const withPerson = () => z.object({ uid: idParam() });

export const setupPrivateCall = endpoint({
  method: "POST",
  path: "/webrtc/private/setup",
  auth: "token",
  summary: "Call a friend",
  query: z.object({ uid: idParam(), mode: callMode() }),
  answer: z.null(),
});

export const acceptPrivateCall = endpoint({
  method: "POST",
  path: "/webrtc/private/accept",
  auth: "token",
  summary: "Accept the call that rings",
  query: z.object({
    uid: idParam(),
    /** `1`: this client can take the offer that the caller has sent while it rang. */
    held: z.optional(z.enum(["0", "1"])),
  }),
  /** The answer to the offer that came while it rang, and its candidates. */
  body: z.nullish(
    z.object({
      answer: z.optional(callDescription()),
      candidates: z.optional(z.array(callDescription()).check(z.maxLength(CALL_SIGNALS_MAX))),
    }),
  ),
  answer: z.null(),
});

export const rejectPrivateCall = endpoint({
  method: "POST",
  path: "/webrtc/private/reject",
  auth: "token",
  summary: "Reject the call that rings",
  query: withPerson(),
  answer: z.null(),
});

export const cancelPrivateCall = endpoint({
  method: "POST",
  path: "/webrtc/private/cancel",
  auth: "token",
  summary: "Cancel my call before it is accepted",
  query: withPerson(),
  answer: z.null(),
});

export const hangUpPrivateCall = endpoint({
  method: "POST",
  path: "/webrtc/private/handup",
  auth: "token",
  summary: "Hang up",
  query: withPerson(),
  answer: z.null(),
});

export const failPrivateCall = endpoint({
  method: "POST",
  path: "/webrtc/private/failed",
  auth: "token",
  summary: "End the call because it cannot work on this device",
  query: z.object({ uid: idParam(), reason: z.optional(text(CALL_REASON_MAX)) }),
  answer: z.null(),
});

export const sendPrivateOffer = endpoint({
  method: "POST",
  path: "/webrtc/private/offer",
  auth: "token",
  summary: "Send the other person a session description; while it rings, the server keeps it",
  query: withPerson(),
  body: callDescription(),
  answer: z.null(),
});

export const sendPrivateAnswer = endpoint({
  method: "POST",
  path: "/webrtc/private/answer",
  auth: "token",
  summary: "Answer a session description",
  query: withPerson(),
  body: callDescription(),
  answer: z.null(),
});

export const sendPrivateCandidate = endpoint({
  method: "POST",
  path: "/webrtc/private/candidate",
  auth: "token",
  summary: "Send the other person a candidate for the connection",
  query: withPerson(),
  body: callDescription(),
  answer: z.null(),
});

export const setPrivateCallDevice = endpoint({
  method: "POST",
  path: "/webrtc/private/device",
  auth: "token",
  summary: "Tell the other person which of my devices are on",
  body: z.object({
    uid: id(),
    isCamera: z.boolean(),
    isMicroPhone: z.boolean(),
    isShareScreen: z.optional(z.boolean()),
  }),
  answer: z.null(),
});

export const beatPrivateCall = endpoint({
  method: "POST",
  path: "/webrtc/private/heartbeat",
  auth: "token",
  summary: "Say that this client is still in the call",
  query: z.object({
    uid: idParam(),
    /** `1`: it still rings here, as far as this client knows. If the call was accepted, the client gets that signal again. */
    waiting: z.optional(z.enum(["0", "1"])),
  }),
  answer: z.null(),
});

export const findPrivateCall = endpoint({
  method: "GET",
  path: "/webrtc/private/info",
  auth: "token",
  summary: "The call that runs between this person and me",
  query: withPerson(),
  answer: privateCallInfo,
});
