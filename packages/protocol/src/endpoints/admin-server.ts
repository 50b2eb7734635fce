import * as z from "zod/mini";
import { adminOverview, adminSettings, auditEntry } from "../admin-entities.ts";
import { JoinMode } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { UPLOAD_DAILY_MB_MAX, UPLOAD_MAX_MB_MAX, WINDOW_SECONDS_MAX } from "../limits.ts";
import { idParam, text } from "../text.ts";
import { pageOf, pageQuery } from "./admin-fields.ts";

export const loadOverview = endpoint({
  method: "GET",
  path: "/admin/overview",
  auth: "admin",
  summary: "Counts, nodes and health of the server",
  answer: adminOverview,
});

export const loadSettings = endpoint({
  method: "GET",
  path: "/admin/settings",
  auth: "admin",
  summary: "The settings that need no restart",
  answer: adminSettings,
});

/** A field that is left out stays as it is; null returns to what the environment says. */
const flag = () => z.optional(z.nullable(z.boolean()));
const whole = (min: number, max: number) => z.optional(z.nullable(z.int().check(z.gte(min), z.lte(max))));

export const saveSettings = endpoint({
  method: "PUT",
  path: "/admin/settings",
  auth: "admin",
  summary: "Change settings at once on all nodes; null returns to the default of the environment",
  body: z
    .object({
      isRegistrationOpen: flag(),
      isInviteCodeRequired: flag(),
      isAvatarRequired: flag(),
      newGroupJoinMode: whole(JoinMode.FREE, JoinMode.INVITATION),
      recallSeconds: whole(0, WINDOW_SECONDS_MAX),
      editSeconds: whole(0, WINDOW_SECONDS_MAX),
      uploadMaxMb: whole(1, UPLOAD_MAX_MB_MAX),
      uploadDailyMb: whole(1, UPLOAD_DAILY_MB_MAX),
    })
    .check(
      z.refine((body) => Object.values(body).some((value) => value !== undefined), {
        error: "names no setting",
      }),
    ),
  answer: adminSettings,
});

export const listAudit = endpoint({
  method: "GET",
  path: "/admin/audit",
  auth: "admin",
  summary: "What administrators did, newest first; looks (calls that change nothing) only if asked for",
  query: z.object({
    ...pageQuery(),
    /** The id of an administrator, or `commandLine`. */
    actor: z.optional(z.union([z.literal("commandLine"), idParam()])),
    action: z.optional(text(64, 1)),
    kind: z.optional(z.enum(["acts", "looks", "all"])),
  }),
  answer: pageOf(auditEntry),
});
