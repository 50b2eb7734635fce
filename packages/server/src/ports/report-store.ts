/** Reports of abuse: the part of `store.ts` for them. */
import type { ReportOutcome, ReportReason } from "@parley/protocol/admin-entities";
import type { Page, PageOptions } from "./admin-store.ts";

/** The reported message as it was when it was reported, so that a recall or an edit does not hide it. */
export interface ReportedMessage {
  chatType: "PRIVATE" | "GROUP";
  messageId: number;
  /** Null in a private chat. */
  groupId: number | null;
  /** `MessageType`. */
  messageType: number;
  content: string;
  sendTime: number;
}

/** A report as it is made. */
export interface NewReport {
  reporterId: number;
  /** The reported person, or the sender of the reported message. */
  personId: number;
  /** Null if a person was reported. */
  message: ReportedMessage | null;
  reason: ReportReason;
  text: string;
  createdAt: number;
}

/** How a report was closed. */
export interface ReportClosure {
  closedAt: number;
  /** Null: on the command line. */
  closedById: number | null;
  outcome: ReportOutcome;
  note: string;
}

/** A report of abuse. */
export interface ReportRow extends NewReport {
  id: number;
  /** Null while it is open. */
  closure: ReportClosure | null;
}

/** What is read about reports. */
export interface ReportReads {
  findReport(id: number): Promise<ReportRow | undefined>;
  /** Whether this person has an open report of the same person or message. */
  hasOpenReport(report: NewReport): Promise<boolean>;
  /** Newest first. `isOpen` undefined: all. */
  listReports(isOpen: boolean | undefined, page: PageOptions): Promise<Page<ReportRow>>;
}

/** What a transaction writes about reports. */
export interface ReportWrites {
  /** Keeps the files that the reported message names, as far as they are still there, until the report is closed. */
  insertReport(report: NewReport): Promise<void>;
  /** Ends that the report keeps files, and marks for deletion what no message, account, group or other report keeps any more. */
  closeReport(id: number, closure: ReportClosure): Promise<void>;
}
