import * as z from "zod/mini";
import { adminNotice, noticePreview } from "../admin-entities.ts";
import { endpoint } from "../endpoint.ts";
import { NOTICE_RECEIVERS_MAX, NOTICE_TITLE_MAX } from "../limits.ts";
import { anyText, id, visibleText } from "../text.ts";
import { pageOf, pageQuery } from "./admin-fields.ts";

const notice = {
  title: visibleText(NOTICE_TITLE_MAX),
  /** At most one of text and html; one of the three must be there. */
  text: z.optional(z.nullable(anyText())),
  html: z.optional(z.nullable(anyText())),
  link: z.optional(z.nullable(anyText())),
};

export const previewNotice = endpoint({
  method: "POST",
  path: "/admin/notices/preview",
  auth: "admin",
  summary: "How a notice would look, without sending it",
  writes: false,
  body: z.object(notice),
  answer: noticePreview,
});

export const publishNotice = endpoint({
  method: "POST",
  path: "/admin/notices",
  auth: "admin",
  summary:
    "Send a notice to people's system chats; to everybody without names, which goes on after the answer",
  body: z.object({
    ...notice,
    /** User names; null: everybody. */
    to: z.nullable(z.array(anyText()).check(z.minLength(1), z.maxLength(NOTICE_RECEIVERS_MAX))),
  }),
  answer: z.object({ id: id() }),
});

export const listNotices = endpoint({
  method: "GET",
  path: "/admin/notices",
  auth: "admin",
  summary: "The notices, newest first, and how far they got",
  query: z.object(pageQuery()),
  answer: pageOf(adminNotice),
});
