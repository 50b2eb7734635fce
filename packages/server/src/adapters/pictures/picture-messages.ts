/** What a process for pictures tells the server. */
import type { PictureOutcome } from "../../ports/picture-encoder.ts";

/** The picture needed more memory than the process may use, which ends. */
export const OUT_OF_MEMORY = "outOfMemory";

export type PictureMessage =
  | { kind: "ready" }
  /** `isWornOut`: the process keeps much memory and should be replaced. */
  | { kind: "done"; outcome: PictureOutcome; isWornOut: boolean }
  | { kind: typeof OUT_OF_MEMORY };

/** The niceness of the processes. */
export const PRIORITIES = { small: 5, large: 15 } as const;
