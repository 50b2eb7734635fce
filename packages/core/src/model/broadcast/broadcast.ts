import type { MessageType } from "@parley/protocol/codes";
import type { Failure } from "../state.ts";

/** The broadcast tool: one message to many friends (spec §2, §3, §5). */
export interface Broadcast {
  readonly draft: BroadcastDraft;
  /** The broadcast that is being sent, or the last one until the person has put it away. */
  readonly run: BroadcastRun | null;
}

/** What is being composed. It stays while the dialog is closed, until the page is. */
export interface BroadcastDraft {
  /** The selected friends, in the order of selection. */
  readonly userIds: readonly number[];
  readonly text: string;
  readonly attachments: readonly BroadcastAttachment[];
}

/** A picture or a file of the draft. It is uploaded once, as soon as it is chosen. */
export interface BroadcastAttachment {
  readonly id: string;
  readonly type: typeof MessageType.IMAGE | typeof MessageType.FILE;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly mimeType: string;
  readonly status: "uploading" | "success" | "failed";
  /** Why the upload failed. */
  readonly failure: Failure | null;
  /** The content of its messages; empty until it is uploaded. */
  readonly content: string;
}

/** A broadcast that was started: which parts go to whom, and what the server has. Plain data, so that it survives a reload. */
export interface BroadcastRun {
  readonly id: string;
  /** The messages that each recipient gets, in this order: the text, then the attachments. */
  readonly parts: readonly BroadcastPart[];
  readonly recipients: readonly BroadcastRecipient[];
}

/** One message of a broadcast. */
export interface BroadcastPart {
  readonly type: number;
  readonly content: string;
}

/** A recipient and how far they are. */
export interface BroadcastRecipient {
  readonly userId: number;
  /** How many parts the server has. */
  readonly sentParts: number;
  /** `cancelled`: the person has cancelled the broadcast before everything was sent to this recipient. */
  readonly state: "waiting" | "sent" | "failed" | "cancelled";
  /** Why the next part was refused. */
  readonly failure: Failure | null;
}

/** Counts the recipients of a broadcast by what became of it. */
export interface BroadcastCounts {
  readonly total: number;
  readonly waiting: number;
  readonly sent: number;
  readonly failed: number;
  readonly cancelled: number;
}
