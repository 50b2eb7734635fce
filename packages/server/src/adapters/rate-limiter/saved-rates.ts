/** The limits that fill up again, derived from the few that an administrator sets. */
import { FRAME_MAX_BYTES } from "@parley/protocol/limits";
import type { SavedLimit, SocketLimit } from "../../ports/rate-limiter.ts";
import type { RateLimits, SavedRate } from "./rate-limits.ts";

/** A person changes what they did to messages, such as reactions, less often than they write: by default 30 times at once. */
const ACTS_PART = 3 / 20;
/** A client says that somebody types at most once in four seconds: by default 10 times at once, for a person with several devices and chats. */
const TYPING_PART = 1 / 20;
/** What needs no account gets a tenth of the requests of an address; a client needs two such calls and a login at its start. */
const STRANGERS_PART = 1 / 10;
/** A socket is opened once, and again after a break. */
const UPGRADES_PART = 1 / 20;
/** Before its login a client sends one frame. */
const BEFORE_LOGIN_PART = 1 / 5;
/** A person may have a hundred tabs. */
const SOCKETS_OF_PERSON = 10;
/** Everybody behind an address connects again after a restart, with one frame each. */
const NEW_SOCKETS_OF_ADDRESS = 40;
/** Hundreds of people with several devices may be behind an address. */
const SOCKETS_OF_ADDRESS = 200;
/** A login frame has some 500 bytes, a heartbeat 20. */
const FRAME_BYTES = 1_024;
/** Two of the largest frames, so that one that is too large is refused for what it is. */
const BYTES_AT_ONCE_MIN = 2 * FRAME_MAX_BYTES;

/** The limits of people and addresses. */
export function savedRatesOf({
  sends,
  calls,
  requests,
  frames,
}: RateLimits): Readonly<Record<SavedLimit, SavedRate>> {
  const ofPerson = times(frames, SOCKETS_OF_PERSON);
  const ofAddress = times(frames, SOCKETS_OF_ADDRESS);
  const ofStrangers = times(frames, NEW_SOCKETS_OF_ADDRESS);
  return {
    sends,
    acts: times(sends, ACTS_PART),
    typing: times(sends, TYPING_PART),
    callsOfPerson: calls,
    callsOfStrangers: times(requests, STRANGERS_PART),
    requestsOfAddress: requests,
    upgradesOfAddress: times(requests, UPGRADES_PART),
    framesOfPerson: ofPerson,
    framesOfAddress: ofAddress,
    framesOfStrangers: ofStrangers,
    bytesOfPerson: bytesOf(ofPerson),
    bytesOfAddress: bytesOf(ofAddress),
    bytesOfStrangers: bytesOf(ofStrangers),
  };
}

/** The limits of one socket. */
export function socketRatesOf({ frames }: RateLimits): Readonly<Record<SocketLimit, SavedRate>> {
  const before = times(frames, BEFORE_LOGIN_PART);
  return {
    framesBeforeLogin: before,
    framesAfterLogin: frames,
    bytesBeforeLogin: bytesOf(before),
    bytesAfterLogin: bytesOf(frames),
  };
}

function times(rate: SavedRate, factor: number): SavedRate {
  return { ...rate, times: rate.times * factor, atOnce: Math.max(1, Math.floor(rate.atOnce * factor)) };
}

function bytesOf(rate: SavedRate): SavedRate {
  const bytes = times(rate, FRAME_BYTES);
  return { ...bytes, atOnce: Math.max(BYTES_AT_ONCE_MIN, bytes.atOnce) };
}
