import * as z from "zod/mini";
import { adminInviteCode } from "../admin-entities.ts";
import { endpoint } from "../endpoint.ts";
import { INVITE_CODE_DAYS_MAX, INVITE_CODE_USES_MAX } from "../limits.ts";
import { text } from "../text.ts";
import { pageOf, pageQuery } from "./admin-fields.ts";

const upTo = (max: number) => z.int().check(z.gte(1), z.lte(max));

export const listInviteCodes = endpoint({
  method: "GET",
  path: "/admin/invite-codes",
  auth: "admin",
  summary: "The invite codes, used up and expired ones too",
  query: z.object(pageQuery()),
  answer: pageOf(adminInviteCode),
});

export const createInviteCode = endpoint({
  method: "POST",
  path: "/admin/invite-codes",
  auth: "admin",
  summary: "Make an invite code; without days it is valid for ever",
  body: z.object({
    uses: upTo(INVITE_CODE_USES_MAX),
    days: z.optional(z.nullable(upTo(INVITE_CODE_DAYS_MAX))),
  }),
  answer: z.object({ code: z.string() }),
});

export const deleteInviteCode = endpoint({
  method: "DELETE",
  path: "/admin/invite-codes",
  auth: "admin",
  summary: "Delete an invite code",
  body: z.object({ code: text(64, 1) }),
  answer: z.null(),
});
