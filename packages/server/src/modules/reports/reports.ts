/** Reports of abuse: people make them, administrators close them. */
import { ChatType } from "@parley/protocol/codes";
import { isWritten } from "@parley/protocol/message";
import { visibleOrEmpty } from "@parley/protocol/text";
import { type AuditTx, pageOptions, recordAct } from "../../access/administration.ts";
import { type AcquaintancesReads, findKnown } from "../../access/acquaintance.ts";
import type { AdminHandlers } from "../../api/admin-act.ts";
import { AdminError } from "../../api/admin-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { MessageReads } from "../../ports/message-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { NewReport, ReportReads, ReportWrites } from "../../ports/report-store.ts";
import type { Transactions } from "../../ports/store.ts";
import { adminReport } from "../../presenters/admin-presenter.ts";

type ReportsReads = Pick<AccountReads, "findUser" | "findUsers"> &
  AcquaintancesReads &
  Pick<MessageReads, "findVisibleMessage"> &
  ReportReads;
type ReportsStore = ReportsReads & Transactions<ReportsReads & ReportWrites & AuditTx>;

export interface ReportsDeps {
  store: ReportsStore;
  rateLimiter: RateLimiter;
}

/** What administrators do with reports. */
export interface ReportAdminDeps {
  store: ReportsStore;
  /** Deletes soon the files that no message, account, group or open report needs now. */
  deleteReleasedFiles(): void;
}

type Reported = Pick<NewReport, "personId" | "message">;

/** The handler by which people report what they see. A repeated report of the same changes nothing. */
export function createReports({ store, rateLimiter }: ReportsDeps): Pick<Handlers, "reportAbuse"> {
  const findReported = async (
    tx: ReportsReads,
    me: number,
    now: number,
    ids: {
      userId?: number | undefined;
      privateMessageId?: number | undefined;
      groupMessageId?: number | undefined;
    },
  ): Promise<Reported> => {
    if (ids.userId !== undefined)
      return { personId: (await findKnown(tx, me, ids.userId, now)).id, message: null };
    const group =
      ids.groupMessageId === undefined
        ? undefined
        : await tx.findVisibleMessage(ChatType.GROUP, me, ids.groupMessageId);
    const row =
      group ??
      (ids.privateMessageId === undefined
        ? undefined
        : await tx.findVisibleMessage(ChatType.PRIVATE, me, ids.privateMessageId));
    if (row === undefined || !isWritten(row)) throw new ApiError("message.notFound");
    return {
      personId: row.sendId,
      message: {
        chatType: group === undefined ? ChatType.PRIVATE : ChatType.GROUP,
        messageId: row.id,
        groupId: group?.groupId ?? null,
        messageType: row.type,
        content: row.content,
        sendTime: row.sendTime,
      },
    };
  };

  return {
    async reportAbuse({ actor, body, now }) {
      const reporterId = actor.userId;
      refuseIfLimited(await rateLimiter.consume("reports", reporterId));
      // The message is read in the transaction that keeps its files, so that no recall deletes them in between.
      await store.write(async (tx) => {
        const reported = await findReported(tx, reporterId, now, body);
        if (reported.personId === reporterId) throw new ApiError("report.self");
        const report = {
          reporterId,
          ...reported,
          reason: body.reason,
          text: visibleOrEmpty(body.text),
          createdAt: now,
        };
        if (!(await tx.hasOpenReport(report))) await tx.insertReport(report);
      });
      return null;
    },
  };
}

/** What administrators see and do with reports. */
export function createReportAdmin({
  store,
  deleteReleasedFiles,
}: ReportAdminDeps): Pick<AdminHandlers, "listReports" | "closeReport"> {
  return {
    async listReports(_act, { query }) {
      const isOpen = query.state === undefined ? undefined : query.state === "open";
      const { total, rows } = await store.listReports(isOpen, pageOptions(query));
      const people = await store.findUsers(
        rows.flatMap(({ reporterId, personId, closure }) => [
          reporterId,
          personId,
          ...(closure?.closedById == null ? [] : [closure.closedById]),
        ]),
      );
      return { total, rows: rows.map((row) => adminReport(row, people)) };
    },

    async closeReport(act, { body }) {
      await store.write(async (tx) => {
        const report = await tx.findReport(body.reportId);
        if (report === undefined)
          throw new AdminError("admin.reportUnknown", `There is no report ${body.reportId}.`);
        if (report.closure !== null)
          throw new AdminError("admin.reportClosed", `The report ${report.id} is closed already.`);
        await recordAct(tx, act);
        await tx.closeReport(report.id, {
          closedAt: act.at,
          closedById: act.actorId,
          outcome: body.outcome,
          note: visibleOrEmpty(body.note),
        });
      });
      deleteReleasedFiles();
      return null;
    },
  };
}
