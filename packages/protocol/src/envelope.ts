import type { ErrorKey } from "./errors.ts";

/** The answer of every HTTP call (spec §7). With `key` and `params` a client can show its own text. */
export interface Envelope<T = unknown> {
  code: number;
  message: string;
  data: T;
  key?: ErrorKey;
  params?: ErrorParams;
}

/** The values in the sentence of an error. */
export type ErrorParams = Record<string, string | number>;

/** Errors with a reason for the person. The others are about the session, the request or the server, and are recognised by code and status. */
export type DomainErrorKey = Exclude<ErrorKey, `${"auth" | "request" | "server"}.${string}`>;

/** Whether this key of an error, which a newer server may have added, is a reason for the person. */
export function isDomainErrorKey(key: string): key is DomainErrorKey {
  return !/^(auth|request|server)\./.test(key);
}

/** The reason for the person why a call failed; null if the envelope has no such reason. */
export function domainErrorKeyOf({ key }: Envelope): DomainErrorKey | null {
  return key !== undefined && isDomainErrorKey(key) ? key : null;
}

/** Why a session ended; sent together with the sentence of cmd 2. */
export const LOGOUT_REASONS = [
  "kicked",
  "passwordChanged",
  "sessionEnded",
  "banned",
  "unregistered",
] as const;
export type LogoutReason = (typeof LOGOUT_REASONS)[number];

/** Params of the error of a refresh whose session was ended; `text` is the reason of a ban. */
export type SessionEndParams = { reason: LogoutReason; text?: string };

/** Whether an unknown JSON value is an envelope; a proxy's error page or a truncated answer is not. */
export function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Envelope).code === "number" &&
    typeof (value as Envelope).message === "string"
  );
}
