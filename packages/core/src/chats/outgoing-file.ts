import type { MessageType } from "@parley/protocol/codes";
import type { PendingUpload } from "../model/state.ts";
import type { FileData } from "../ports.ts";

/** A file that a person sends. */
export interface OutgoingFile extends PendingUpload {
  readonly type:
    | typeof MessageType.IMAGE
    | typeof MessageType.FILE
    | typeof MessageType.AUDIO
    | typeof MessageType.VIDEO;
  readonly file: FileData;
  /** The first frame of a video, as a picture; null for others. */
  readonly cover: FileData | null;
}

/** The file of a message in the memory of this page. */
export type LocalFile = Pick<OutgoingFile, "file" | "cover">;
