/**
 * What a server counts of its own work. Names and texts of people never get here: every argument is a number, or one of a closed set of
 * words. Nothing throws or waits. With `noMetrics` all of it is empty.
 */
import type { ChatType } from "@parley/protocol/codes";
import type { EndpointName } from "@parley/protocol/endpoints/all";
import type { ErrorKey } from "@parley/protocol/errors";
import type { BusEvent } from "./bus.ts";
import type { WebPushOutcome } from "./web-push.ts";

/** What is done with stored files. */
export type BlobOperation = "put" | "stat" | "read" | "delete";

/** Whose limit a socket that sends too much exceeds: its own, that of its person, or that of all sockets of its address. */
export const FLOOD_LIMITS = ["socket", "person", "address"] as const;
export type FloodLimit = (typeof FLOOD_LIMITS)[number];

/** The counters of a server. `began` is always a time of `clock`. */
export interface Metrics {
  /** Seconds of a clock that only moves forward; always 0 if nothing is counted. */
  clock(): number;
  /** A call of the API has succeeded. */
  callAnswered(endpoint: EndpointName, began: number): void;
  /** An error was answered. */
  errorAnswered(key: ErrorKey): void;
  /** A message is stored, and was not before. */
  messageSent(chat: ChatType): void;
  /** A pull has sent its rows. `isComplete`: none is missing. */
  pullEnded(chat: ChatType, rows: number, began: number, isComplete: boolean): void;
  socketLoggedIn(): void;
  socketClosed(code: number): void;
  /** A socket was cut off because it sent too much. */
  socketFlooded(limit: FloodLimit): void;
  /** A request for a socket was refused because its address had asked for too many. */
  upgradeRefused(): void;
  /** A frame was handed to so many sockets as soon as it was known here. A frame of a pull does not count. */
  framePushed(frame: string, sockets: number): void;
  /** A push that the bus had lost was looked up. */
  lostPushRepeated(): void;
  /** Writes of one commit are on the disk. */
  committed(writes: number, began: number): void;
  /** A read or a transaction of the store has ended, well or not. Appends of messages do not count here. */
  storeUsed(operation: "read" | "write", began: number): void;
  /** All listeners of this node have heard an event of this node. */
  busPublished(kind: BusEvent["kind"], began: number): void;
  /** Redis has taken events for the other nodes. */
  busSent(began: number): void;
  /** So many characters wait for Redis now. */
  busWaiting(characters: number): void;
  /** Events between nodes may have been lost. */
  busInterrupted(): void;
  /** `isAway`: the storage could not be used. */
  blobUsed(operation: BlobOperation, began: number, isAway: boolean): void;
  /** So many bytes were stored. */
  blobStored(bytes: number): void;
  /** An answer with so many bytes of a stored file has begun. */
  fileServed(bytes: number): void;
  webPushEnded(outcome: WebPushOutcome["kind"]): void;
}

const nothing = () => undefined;

/** Counts nothing. */
export const noMetrics: Metrics = {
  clock: () => 0,
  callAnswered: nothing,
  errorAnswered: nothing,
  messageSent: nothing,
  pullEnded: nothing,
  socketLoggedIn: nothing,
  socketClosed: nothing,
  socketFlooded: nothing,
  upgradeRefused: nothing,
  framePushed: nothing,
  lostPushRepeated: nothing,
  committed: nothing,
  storeUsed: nothing,
  busPublished: nothing,
  busSent: nothing,
  busWaiting: nothing,
  busInterrupted: nothing,
  blobUsed: nothing,
  blobStored: nothing,
  fileServed: nothing,
  webPushEnded: nothing,
};
