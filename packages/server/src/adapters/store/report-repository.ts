import type { ReportOutcome, ReportReason } from "@parley/protocol/admin-entities";
import { filesOf } from "@parley/protocol/message";
import type { Kysely, Selectable } from "kysely";
import type { ReportedMessage, ReportReads, ReportRow, ReportWrites } from "../../ports/report-store.ts";
import { fileNaming, fileRelease } from "./message-files.ts";
import { nextId } from "./next-id.ts";
import type { ReportTable, Tables } from "./tables.ts";

function toReport(row: Selectable<ReportTable>): ReportRow {
  const { id, reporterId, personId, text, createdAt, messageId, closedAt } = row;
  return {
    id,
    reporterId,
    personId,
    // Only this repository writes these columns.
    reason: row.reason as ReportReason,
    text,
    createdAt,
    message:
      messageId === null
        ? null
        : {
            chatType: row.chatType as ReportedMessage["chatType"],
            messageId,
            groupId: row.groupId,
            messageType: row.messageType ?? 0,
            content: row.content ?? "",
            sendTime: row.sendTime ?? 0,
          },
    closure:
      closedAt === null
        ? null
        : {
            closedAt,
            closedById: row.closedById,
            outcome: row.outcome as ReportOutcome,
            note: row.note ?? "",
          },
  };
}

/** Reads reports of abuse. */
export function reportReads(db: Kysely<Tables>): ReportReads {
  return {
    async findReport(id) {
      const row = await db.selectFrom("report").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toReport(row);
    },
    async hasOpenReport({ reporterId, personId, message }) {
      const found = await db
        .selectFrom("report")
        .select("id")
        .where("reporterId", "=", reporterId)
        .where("personId", "=", personId)
        .where("chatType", message === null ? "is" : "=", message?.chatType ?? null)
        .where("messageId", message === null ? "is" : "=", message?.messageId ?? null)
        .where("closedAt", "is", null)
        .executeTakeFirst();
      return found !== undefined;
    },
    async listReports(isOpen, { offset, limit }) {
      const all = db.selectFrom("report");
      const reports = isOpen === undefined ? all : all.where("closedAt", isOpen ? "is" : "is not", null);
      const { count } = await reports
        .select((eb) => eb.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      const rows = await reports.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
      return { total: Number(count), rows: rows.map(toReport) };
    },
  };
}

/** Writes reports of abuse. */
export function reportWrites(db: Kysely<Tables>): ReportWrites {
  const nameFile = fileNaming(db);
  const release = fileRelease(db);
  return {
    async insertReport({ message, ...report }) {
      const id = await nextId(db, "report");
      await db
        .insertInto("report")
        .values({
          id,
          ...report,
          chatType: message?.chatType ?? null,
          messageId: message?.messageId ?? null,
          groupId: message?.groupId ?? null,
          messageType: message?.messageType ?? null,
          content: message?.content ?? null,
          sendTime: message?.sendTime ?? null,
          closedAt: null,
          closedById: null,
          outcome: null,
          note: null,
        })
        .execute();
      if (message === null) return;
      const naming = { kind: "REPORT", id, sendId: report.personId } as const;
      for (const url of filesOf(message.messageType, message.content)) await nameFile(naming, url);
    },
    async closeReport(id, closure) {
      await db.updateTable("report").set(closure).where("id", "=", id).execute();
      await release.ofReport(id);
    },
  };
}
