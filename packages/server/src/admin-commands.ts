/** The commands of administration: what they take, and what they print. */
import { LARGE_GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import * as z from "zod/mini";
import type { AccountAdmin } from "./modules/account/account-admin.ts";
import type { GroupAdmin } from "./modules/groups/group-admin.ts";
import type { Notices } from "./modules/notices/notices.ts";
import { AdminError } from "./ports/admin-error.ts";

const person = { userName: z.string() };
const group = { groupId: z.number() };

export const adminCommand = z.discriminatedUnion("name", [
  z.object({ name: z.literal("users") }),
  z.object({ name: z.literal("stats") }),
  z.object({ name: z.literal("restored") }),
  z.object({ name: z.literal("createInviteCode"), uses: z.number(), days: z.nullable(z.number()) }),
  z.object({ name: z.literal("resetPassword"), ...person }),
  z.object({ name: z.literal("ban"), ...person, reason: z.string() }),
  z.object({ name: z.literal("unban"), ...person }),
  z.object({ name: z.literal("unregister"), ...person }),
  z.object({ name: z.literal("banGroup"), ...group, reason: z.string() }),
  z.object({ name: z.literal("unbanGroup"), ...group }),
  z.object({ name: z.literal("enlargeGroup"), ...group }),
  z.object({
    name: z.literal("notice"),
    title: z.string(),
    text: z.nullable(z.string()),
    html: z.nullable(z.string()),
    link: z.nullable(z.string()),
    to: z.nullable(z.array(z.string())),
  }),
]);
export type AdminCommand = z.output<typeof adminCommand>;

/** What the command prints, or why it failed in one sentence. */
export const adminAnswer = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);
export type AdminAnswer = z.output<typeof adminAnswer>;

/** Those who carry the commands out. */
export interface AdminServices {
  accounts: AccountAdmin;
  groups: GroupAdmin;
  notices: Notices;
  listStats(): Promise<string[]>;
  /** Undefined while a server runs: it has told its clients the epoch that it began with. */
  renewEpoch: (() => Promise<void>) | undefined;
}

export async function runAdminCommand(admin: AdminServices, command: AdminCommand): Promise<AdminAnswer> {
  try {
    return { text: await run(admin, command) };
  } catch (error) {
    if (error instanceof AdminError) return { error: error.message };
    throw error;
  }
}

async function run(
  { accounts, groups, notices, listStats, renewEpoch }: AdminServices,
  asked: AdminCommand,
): Promise<string> {
  switch (asked.name) {
    case "users": {
      const lines = await accounts.listUsers();
      return [...lines, `${lines.length} users`].join("\n");
    }
    case "stats":
      return (await listStats()).join("\n");
    case "restored":
      if (renewEpoch === undefined) {
        throw new AdminError(
          "Stop the server, put the backup back, run this command, and start the server again.",
        );
      }
      await renewEpoch();
      return "Clients will forget what they have kept of this server and load it anew.";
    case "createInviteCode":
      return accounts.createInviteCode(asked.uses, asked.days);
    case "resetPassword":
      return `New password of ${asked.userName}: ${await accounts.resetPassword(asked.userName)}`;
    case "ban":
      await accounts.ban(asked.userName, asked.reason);
      return `${asked.userName} is banned.`;
    case "unban":
      await accounts.unban(asked.userName);
      return `${asked.userName} is no longer banned.`;
    case "unregister":
      await accounts.unregister(asked.userName);
      return `The account of ${asked.userName} is closed.`;
    case "banGroup":
      return `The group ${await groups.ban(asked.groupId, asked.reason)} is banned.`;
    case "unbanGroup":
      return `The group ${await groups.unban(asked.groupId)} is no longer banned.`;
    case "enlargeGroup":
      return `The group ${await groups.enlarge(asked.groupId)} takes ${LARGE_GROUP_MEMBERS_MAX} people.`;
    case "notice": {
      const count = await notices.publish(asked);
      return `The notice went to ${count} ${count === 1 ? "person" : "people"}.`;
    }
  }
}
