import { MessageType } from "@parley/protocol/codes";
import { pictureOf, type MediaMessage } from "./media-content.ts";
import { pictureBox } from "./picture-box.ts";

/** The size of a file (interface §6). */
const FILE_PX = { width: 280, height: 64 } as const;
/** Play button, bars, time and their gaps. */
const VOICE_PX = { width: 216, height: 36 } as const;

/** The place that a message with a file takes, known before anything is loaded; in px. */
export interface MediaBox {
  readonly width: number;
  readonly height: number;
  readonly variant: "picture" | "file" | "voice";
}

/** The place of a message with a file; null for other messages, and for one whose content cannot be read. */
export function mediaBox(message: MediaMessage, max?: number): MediaBox | null {
  if (message.type === MessageType.FILE) return { ...FILE_PX, variant: "file" };
  if (message.type === MessageType.AUDIO) return { ...VOICE_PX, variant: "voice" };
  const picture = pictureOf(message);
  return picture === null ? null : { ...pictureBox(picture.width, picture.height, max), variant: "picture" };
}
