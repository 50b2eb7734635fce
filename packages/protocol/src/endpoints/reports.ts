import * as z from "zod/mini";
import { adminReport, REPORT_OUTCOMES, REPORT_REASONS } from "../admin-entities.ts";
import { endpoint } from "../endpoint.ts";
import { REPORT_TEXT_MAX } from "../limits.ts";
import { id, text } from "../text.ts";
import { pageOf, pageQuery } from "./admin-fields.ts";

/** Exactly one of `userId`, `privateMessageId` and `groupMessageId`. */
export const reportAbuse = endpoint({
  method: "POST",
  path: "/report",
  auth: "token",
  summary: "Report a person or a message to the administrators; only what I can see",
  body: z
    .object({
      userId: z.optional(id()),
      privateMessageId: z.optional(id()),
      groupMessageId: z.optional(id()),
      reason: z.enum(REPORT_REASONS),
      text: text(REPORT_TEXT_MAX),
    })
    .check(
      z.refine(
        ({ userId, privateMessageId, groupMessageId }) =>
          [userId, privateMessageId, groupMessageId].filter((value) => value !== undefined).length === 1,
        { error: "names not exactly one person or message" },
      ),
    ),
  answer: z.null(),
});

export const listReports = endpoint({
  method: "GET",
  path: "/admin/reports",
  auth: "admin",
  summary: "The reports of abuse, newest first",
  query: z.object({ ...pageQuery(), state: z.optional(z.enum(["open", "closed"])) }),
  answer: pageOf(adminReport),
});

export const closeReport = endpoint({
  method: "POST",
  path: "/admin/reports/close",
  auth: "admin",
  summary: "Close a report with what came of it",
  body: z.object({ reportId: id(), outcome: z.enum(REPORT_OUTCOMES), note: text(REPORT_TEXT_MAX) }),
  answer: z.null(),
});
