/** The administration commands: their parameters and what they print. */
import { LARGE_GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import * as z from "zod/mini";
import type { AccountAdmin } from "./modules/account/account-admin.ts";
import type { GroupAdmin } from "./modules/groups/group-admin.ts";
import type { Notices } from "./modules/notices/notices.ts";
import { AdminError } from "./api/admin-error.ts";

const person = { userName: z.string() };
const group = { groupId: z.number() };

/** The schema of all commands. */
export const adminCommand = z.discriminatedUnion("name", [
  z.object({ name: z.literal("users") }),
  z.object({ name: z.literal("stats") }),
  z.object({ name: z.literal("restored") }),
  z.object({ name: z.literal("createInviteCode"), uses: z.number(), days: z.nullable(z.number()) }),
  z.object({ name: z.literal("resetPassword"), ...person }),
  z.object({ name: z.literal("ban"), ...person, reason: z.string() }),
  z.object({ name: z.literal("unban"), ...person }),
  z.object({ name: z.literal("unregister"), ...person }),
  z.object({ name: z.literal("export"), ...person, file: z.string() }),
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

/** What a command prints, or one sentence that says why it failed. */
export const adminAnswer = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);
export type AdminAnswer = z.output<typeof adminAnswer>;

/** The services that run the commands. */
export interface AdminServices {
  accounts: AccountAdmin;
  groups: GroupAdmin;
  notices: Notices;
  listStats(): Promise<string[]>;
  /** Writes the data of a person to a new archive at this absolute path. Throws `AdminError`. */
  writeExport(userName: string, file: string): Promise<void>;
  /** Undefined while a server runs, because its clients already know the epoch with which it started. */
  renewEpoch: (() => Promise<void>) | undefined;
}

/** Runs one command. Expected errors become part of the answer. */
export async function runAdminCommand(admin: AdminServices, command: AdminCommand): Promise<AdminAnswer> {
  try {
    return { text: await run(admin, command) };
  } catch (error) {
    if (error instanceof AdminError) return { error: error.message };
    throw error;
  }
}

async function run(
  { accounts, groups, notices, listStats, writeExport, renewEpoch }: AdminServices,
  command: AdminCommand,
): Promise<string> {
  switch (command.name) {
    case "users": {
      const lines = await accounts.listUsers();
      return [...lines, `${lines.length} users`].join("\n");
    }
    case "stats":
      return (await listStats()).join("\n");
    case "restored":
      if (renewEpoch === undefined) {
        throw new AdminError(
          "Stop the server, restore the backup, run this command, and start the server again.",
        );
      }
      await renewEpoch();
      return "Clients will drop their local data of this server and load it again.";
    case "createInviteCode":
      return accounts.createInviteCode(command.uses, command.days);
    case "resetPassword":
      return `New password of ${command.userName}: ${await accounts.resetPassword(command.userName)}`;
    case "ban":
      await accounts.ban(command.userName, command.reason);
      return `${command.userName} is banned.`;
    case "unban":
      await accounts.unban(command.userName);
      return `${command.userName} is no longer banned.`;
    case "unregister":
      await accounts.unregister(command.userName);
      return `The account of ${command.userName} is closed.`;
    case "export":
      await writeExport(command.userName, command.file);
      return `The data of ${command.userName} is in ${command.file}.`;
    case "banGroup":
      return `The group ${await groups.ban(command.groupId, command.reason)} is banned.`;
    case "unbanGroup":
      return `The group ${await groups.unban(command.groupId)} is no longer banned.`;
    case "enlargeGroup":
      return `The group ${await groups.enlarge(command.groupId)} takes ${LARGE_GROUP_MEMBERS_MAX} people.`;
    case "notice": {
      const count = await notices.publish(command);
      return `The notice went to ${count} ${count === 1 ? "person" : "people"}.`;
    }
  }
}
