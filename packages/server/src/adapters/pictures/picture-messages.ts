/** What the server and a process for pictures tell each other. */
import type { PictureJob, PictureOutcome } from "../../ports/picture-encoder.ts";

/** A picture for the process. */
export interface PictureRequest {
  job: PictureJob;
  /** The time that the process may spend on it, ms of a processor. */
  cpuMs: number;
}

/** What the process answers. After `overTime` and `outOfMemory` it ends. */
export type PictureMessage =
  | { kind: "ready" }
  /** `isWornOut`: the process keeps much memory and should be replaced. */
  | { kind: "done"; outcome: PictureOutcome; isWornOut: boolean }
  | { kind: "overTime" }
  | { kind: "outOfMemory" };
