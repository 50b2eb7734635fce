/** The administration commands: their parameters and what they print. All go through the use cases of the calls for administrators. */
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { BODY_MAX_BYTES, LARGE_GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import * as z from "zod/mini";
import { ADMIN_ENDPOINTS } from "./admin-handlers.ts";
import { type Act, COMMAND_LINE } from "../api/admin-act.ts";
import { AdminError } from "../api/admin-error.ts";
import { ApiError } from "../api/api-error.ts";
import { errorMessageOf } from "../http/error-messages.ts";
import type { SetupLinks } from "../modules/account/first-admin.ts";
import type { AdminCalls } from "../modules/administration/admin-calls.ts";
import type { Notices } from "../modules/notices/notices.ts";
import type { UserRow } from "../ports/account-store.ts";
import type { GroupRow } from "../ports/group-store.ts";

const person = { userName: z.string() };
const group = { groupId: z.number() };

/** The schema of all commands. */
export const adminCommand = z.discriminatedUnion("name", [
  z.object({ name: z.literal("users") }),
  z.object({ name: z.literal("stats") }),
  z.object({ name: z.literal("restored") }),
  z.object({ name: z.literal("correctTimes") }),
  z.object({ name: z.literal("setupLink"), origin: z.string() }),
  z.object({ name: z.literal("createInviteCode"), uses: z.number(), days: z.nullable(z.number()) }),
  z.object({ name: z.literal("resetPassword"), ...person }),
  z.object({ name: z.literal("ban"), ...person, reason: z.string() }),
  z.object({ name: z.literal("unban"), ...person }),
  z.object({ name: z.literal("unregister"), ...person }),
  z.object({ name: z.literal("export"), ...person, file: z.string() }),
  z.object({ name: z.literal("grantAdmin"), ...person }),
  z.object({ name: z.literal("revokeAdmin"), ...person }),
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
  z.object({
    name: z.literal("call"),
    call: z.string(),
    query: z.optional(z.unknown()),
    body: z.optional(z.unknown()),
  }),
]);
export type AdminCommand = z.output<typeof adminCommand>;

/** What a command prints at its end, or one sentence that says why it failed. */
export const adminAnswer = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);
export type AdminAnswer = z.output<typeof adminAnswer>;

/** The services that run the commands. */
export interface AdminServices {
  calls: AdminCalls;
  notices: Notices;
  setupLinks: SetupLinks;
  findUserByName(userName: string): Promise<UserRow | undefined>;
  findGroup(groupId: number): Promise<GroupRow | undefined>;
  /** Page by page, because there may be many. */
  listAccounts(): AsyncIterable<string[]>;
  listStats(): Promise<string[]>;
  /** Writes the data of a person to a new archive at this absolute path. Throws `AdminError`. */
  writeExport(userId: number, file: string): Promise<void>;
  /** Undefined while a server runs, because its clients already know the epoch with which it started. */
  renewEpoch: ((act: Act) => Promise<void>) | undefined;
  /** Brings times of messages back from the future, and returns how many there were; undefined while a server runs, for the same reason. */
  correctTimes: ((act: Act) => Promise<number>) | undefined;
}

/** The answer to a command that is longer than its call may be. */
export const TOO_LARGE: AdminAnswer = { error: sentenceOf(new ApiError("request.tooLarge")) };

function sentenceOf({ key, params }: ApiError): string {
  return `${errorMessageOf(key, params, "en")}.`;
}

/** Prints a part of a long result before the command ends; resolves when there is room for more. */
export type Print = (text: string) => Promise<void>;

/** Runs one command. Expected errors become part of the answer. */
export async function runAdminCommand(
  admin: AdminServices,
  command: AdminCommand,
  print: Print,
): Promise<AdminAnswer> {
  try {
    return { text: await run(admin, command, print) };
  } catch (error) {
    if (error instanceof AdminError) return { error: error.message };
    if (error instanceof ApiError) return { error: sentenceOf(error) };
    throw error;
  }
}

async function run(admin: AdminServices, command: AdminCommand, print: Print): Promise<string> {
  const { calls } = admin;
  switch (command.name) {
    case "users": {
      await calls.recordLook("listPeople", COMMAND_LINE);
      let count = 0;
      for await (const lines of admin.listAccounts()) {
        await print(lines.join("\n"));
        count += lines.length;
      }
      return `${count} users`;
    }
    case "stats":
      await calls.recordLook("loadOverview", COMMAND_LINE);
      return (await admin.listStats()).join("\n");
    case "restored":
      if (admin.renewEpoch === undefined) {
        throw new AdminError(
          "request.forbidden",
          "Stop the server, restore the backup, run this command, and start the server again.",
        );
      }
      await calls.run("renewEpoch", COMMAND_LINE, admin.renewEpoch);
      return "Clients will drop their local data of this server and load it again.";
    case "correctTimes": {
      if (admin.correctTimes === undefined) {
        throw new AdminError(
          "request.forbidden",
          "Stop the server, see to it that its clock is right, run this command, and start the server again.",
        );
      }
      const count = await calls.run("correctTimes", COMMAND_LINE, admin.correctTimes);
      if (count === 0) return "No message has a time in the future.";
      return `${count === 1 ? "1 message has" : `${count} messages have`} the right time now. Clients will drop their local data of this server and load it again.`;
    }
    case "setupLink":
      return setupLinkOf(
        command.origin,
        await calls.run("makeSetupLink", COMMAND_LINE, admin.setupLinks.renew),
      );
    case "createInviteCode": {
      const { uses, days } = command;
      const body = { uses, days };
      return (await calls.perform("createInviteCode", COMMAND_LINE, { query: undefined, body })).code;
    }
    case "notice": {
      const { name: _, ...notice } = command;
      requireBodySize(notice);
      const publish = (act: Act) => admin.notices.publish(act, notice);
      const { sent } = await calls.run("publishNotice", COMMAND_LINE, publish);
      const count = await sent;
      return `The notice went to ${count} ${count === 1 ? "person" : "people"}.`;
    }
    case "call":
      return JSON.stringify(await performCall(calls, command), undefined, 2);
    case "banGroup":
    case "unbanGroup":
    case "enlargeGroup":
      return runOnGroup(admin, command);
    default:
      return runOnPerson(admin, command);
  }
}

/** Refuses what a request over HTTP could not carry, so that the command line takes the same as the pages of administrators. */
function requireBodySize(body: object): void {
  if (Buffer.byteLength(JSON.stringify(body)) > BODY_MAX_BYTES) throw new ApiError("request.tooLarge");
}

/** The address of the page that makes the first administrator. The token is behind the #, so that it is in no log of a proxy. */
export function setupLinkOf(origin: string, token: string): string {
  return `${origin}/admin/setup#${token}`;
}

/** Makes any call for administrators with the given query and body. */
async function performCall(
  calls: AdminCalls,
  { call, query, body }: Extract<AdminCommand, { name: "call" }>,
): Promise<unknown> {
  const name = ADMIN_ENDPOINTS.find((one) => one === call);
  if (name === undefined)
    throw new AdminError(
      "request.notFound",
      `There is no call ${call}; there are ${ADMIN_ENDPOINTS.join(", ")}.`,
    );
  const endpoint: Endpoint = ENDPOINTS[name];
  const parsed = (part: "query" | "body", value: unknown): unknown => {
    const result = endpoint[part]?.safeParse(value ?? {});
    if (result === undefined || result.success) return result?.data;
    const [issue] = result.error.issues;
    const field = issue?.path.join(".") || part;
    const problem = issue?.message ?? "is wrong";
    throw new AdminError("request.malformed", `${field}: ${problem}.`, { field, problem });
  };
  requireBodySize(body ?? {});
  // Schemas of queries read texts, as they are in an address.
  const texts = Object.entries(query ?? {}).map(([field, value]) => [field, String(value)]);
  const input = { query: parsed("query", Object.fromEntries(texts)), body: parsed("body", body) };
  return calls.perform(name, COMMAND_LINE, input as never);
}

type CommandOn<Field extends string> = Exclude<
  Extract<AdminCommand, Record<Field, unknown>>,
  { name: "call" }
>;

async function runOnPerson(
  { calls, findUserByName, writeExport }: AdminServices,
  command: CommandOn<"userName">,
): Promise<string> {
  const { userName } = command;
  const user = await findUserByName(userName);
  if (user === undefined) throw new AdminError("user.notFound", `Nobody has the user name ${userName}.`);
  const body = { userId: user.id };
  const input = { query: undefined, body };
  switch (command.name) {
    case "resetPassword": {
      const { password } = await calls.perform("resetPersonPassword", COMMAND_LINE, input);
      return `New password of ${userName}: ${password}`;
    }
    case "ban":
      await calls.perform("banPerson", COMMAND_LINE, { ...input, body: { ...body, reason: command.reason } });
      return `${userName} is banned.`;
    case "unban":
      await calls.perform("unbanPerson", COMMAND_LINE, input);
      return `${userName} is no longer banned.`;
    case "unregister":
      await calls.perform("unregisterPerson", COMMAND_LINE, input);
      return `The account of ${userName} is closed.`;
    case "export":
      await calls.record("exportPerson", COMMAND_LINE, { kind: "person", id: user.id, name: userName });
      await writeExport(user.id, command.file);
      return `The data of ${userName} is in ${command.file}.`;
    case "grantAdmin":
      await calls.perform("grantAdmin", COMMAND_LINE, input);
      return `${userName} is an administrator.`;
    case "revokeAdmin":
      await calls.perform("revokeAdmin", COMMAND_LINE, input);
      return `${userName} is no administrator.`;
  }
}

async function runOnGroup(
  { calls, findGroup }: AdminServices,
  command: CommandOn<"groupId">,
): Promise<string> {
  const { groupId } = command;
  const input = { query: undefined, body: { groupId } };
  const nameOfGroup = async () => (await findGroup(groupId))?.name ?? String(groupId);
  switch (command.name) {
    case "banGroup": {
      const body = { groupId, reason: command.reason };
      await calls.perform("banGroup", COMMAND_LINE, { ...input, body });
      return `The group ${await nameOfGroup()} is banned.`;
    }
    case "unbanGroup":
      await calls.perform("unbanGroup", COMMAND_LINE, input);
      return `The group ${await nameOfGroup()} is no longer banned.`;
    case "enlargeGroup":
      await calls.perform("setGroupLarge", COMMAND_LINE, { ...input, body: { groupId, isLarge: true } });
      return `The group ${await nameOfGroup()} takes ${LARGE_GROUP_MEMBERS_MAX} people.`;
  }
}
