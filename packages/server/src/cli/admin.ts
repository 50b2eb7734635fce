/** `npm run admin -- <command>`: runs a command in the running server if there is one, otherwise on the store itself. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option, InvalidArgumentError } from "commander";
import type { AdminCommand, Print } from "../runtime/admin-commands.ts";
import { sendAdminCommand } from "../runtime/admin-socket.ts";
import { isUserFacingError, runWithoutServer } from "../runtime/app.ts";
import { type Config, ConfigError, dataFolder, loadConfig } from "../config/config.ts";
import { runBackup, yieldToOthers } from "../backup/backup.ts";
import { type CopyTargets, runCopy } from "./copy.ts";
import { checkServices, fixWhatIsSafe, runDoctor } from "../doctor/doctor.ts";
import { serverUrlOf } from "../config/environment.ts";
import { runRestore } from "../backup/restore.ts";

const UNHEALTHY =
  "Stop the server and restore a backup (docs/backup.md), or copy the folder before you do anything else.";

async function run(command: AdminCommand): Promise<void> {
  const config = loadConfig(process.env);
  const print: Print = async (text) => console.log(text);
  const answer =
    (await sendAdminCommand(dataFolder(config), command, print)) ??
    (await runWithoutServer(config, command, print));
  if ("error" in answer) {
    console.error(answer.error);
    process.exitCode = 1;
  } else {
    console.log(answer.text);
  }
}

function parsePositive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}

const DAYS_MAX = 36_500;

function parseDays(text: string): number {
  const value = parsePositive(text);
  if (value > DAYS_MAX) throw new InvalidArgumentError(`It must not be more than ${DAYS_MAX}.`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It is no JSON.");
  }
}

interface NoticeOptions {
  title: string;
  text?: string;
  /** The content of the file, not its path. */
  htmlFile?: string;
  link?: string;
  to?: string[];
}

function parseNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

const program = new Command("admin").description(
  "Administers this Parley server (DATA_DIR as for the server).",
);
program
  .command("users")
  .description("list all accounts: id, user name, nickname, registered, state")
  .action(() => run({ name: "users" }));
const inviteCode = program.command("invite-code").description("invite codes for registration");
inviteCode
  .command("create")
  .description("create a code")
  .option("--uses <n>", "how many people may use it", parsePositive, 1)
  .option("--days <n>", "how long it is valid; without it for ever", parseDays)
  .action(({ uses, days }: { uses: number; days?: number }) =>
    run({ name: "createInviteCode", uses, days: days ?? null }),
  );
program
  .command("reset-password")
  .description("give a person a new password and end all of their sessions")
  .argument("<userName>")
  .action((userName: string) => run({ name: "resetPassword", userName }));

program
  .command("ban")
  .description("log a person out and keep them out until unban")
  .argument("<userName>")
  .requiredOption("--reason <text>", "the reason that the person sees")
  .action((userName: string, { reason }: { reason: string }) => run({ name: "ban", userName, reason }));
program
  .command("unban")
  .description("let a banned person in again")
  .argument("<userName>")
  .action((userName: string) => run({ name: "unban", userName }));
program
  .command("unregister")
  .description("close a person's account permanently; the name stays taken")
  .argument("<userName>")
  .action((userName: string) => run({ name: "unregister", userName }));
program
  .command("export")
  .description("write the data of a person, as that person sees it, into a zip archive")
  .argument("<userName>")
  .argument("<file>")
  .action((userName: string, file: string) => run({ name: "export", userName, file: resolve(file) }));
program
  .command("setup-link")
  .description("a new one-time link for the first administrator; the link before dies")
  .action(() => {
    const config = loadConfig(process.env);
    return run({ name: "setupLink", origin: serverUrlOf(config, config.PORT) });
  });
program
  .command("grant-admin")
  .description("make a person an administrator")
  .argument("<userName>")
  .action((userName: string) => run({ name: "grantAdmin", userName }));
program
  .command("revoke-admin")
  .description("take the role of an administrator away; the last one keeps it")
  .argument("<userName>")
  .action((userName: string) => run({ name: "revokeAdmin", userName }));
program
  .command("call")
  .description("make any call for administrators of the API, and print its answer as JSON")
  .argument("<name>", "its name in the API documentation (/api/docs), such as listPeople")
  .option("--query <json>", 'its query, such as \'{"page":"0"}\'', parseJson)
  .option("--body <json>", "its body, such as '{\"userId\":7}'", parseJson)
  .action((call: string, { query, body }: { query?: unknown; body?: unknown }) =>
    run({ name: "call", call, query, body }),
  );
program
  .command("ban-group")
  .description("stop all messages in a group until unban-group")
  .argument("<id>", "the group's number", parsePositive)
  .requiredOption("--reason <text>", "the reason that its members see")
  .action((groupId: number, { reason }: { reason: string }) => run({ name: "banGroup", groupId, reason }));
program
  .command("unban-group")
  .description("let the members of a banned group write again")
  .argument("<id>", "the group's number", parsePositive)
  .action((groupId: number) => run({ name: "unbanGroup", groupId }));
program
  .command("enlarge-group")
  .description("raise the maximum number of members of a group")
  .argument("<id>", "the group's number", parsePositive)
  .action((groupId: number) => run({ name: "enlargeGroup", groupId }));
program
  .command("notice")
  .description("send a notice to people's system chats")
  .requiredOption("--title <text>", "title of the notice")
  .option("--text <text>", "the notice as plain text")
  .addOption(
    new Option("--html-file <path>", "the notice as HTML: text, lists and links")
      .conflicts("text")
      .argParser(readText),
  )
  .option("--link <url>", "a page that people open instead of the text")
  .option("--to <names>", "user names, joined by commas; without it everybody", parseNames)
  .action(({ title, text, htmlFile, link, to }: NoticeOptions) =>
    run({
      name: "notice",
      title,
      text: text ?? null,
      html: htmlFile ?? null,
      link: link ?? null,
      to: to ?? null,
    }),
  );
const PASSPHRASE_OPTION = "--passphrase-file <path>";
const PASSPHRASE_MEANING = "a file with the passphrase; BACKUP_PASSPHRASE is used without it";

/** The configuration with the passphrase of a file in place of that of the environment. */
function withPassphrase({ passphraseFile }: { passphraseFile?: string }): Config {
  const config = loadConfig(process.env);
  if (passphraseFile === undefined) return config;
  const passphrase = readFileSync(passphraseFile, "utf8").replace(/\r?\n$/, "");
  if (passphrase === "") throw new ConfigError(`${passphraseFile} holds no passphrase.`);
  return { ...config, BACKUP_PASSPHRASE: passphrase };
}

program
  .command("backup")
  .description("write the database, the uploaded files and the keys into one archive; the server may run")
  .argument("<file>")
  .option("--files-only", "for PostgreSQL: without the database, which pg_dump backs up", false)
  .option(PASSPHRASE_OPTION, PASSPHRASE_MEANING)
  .action(async (file: string, options: { filesOnly: boolean; passphraseFile?: string }) => {
    yieldToOthers();
    const backup = { file, isFilesOnly: options.filesOnly };
    await runBackup(withPassphrase(options), backup, (line) => console.log(line));
  });
program
  .command("restore")
  .description("restore an archive of `backup` into an empty DATA_DIR")
  .argument("<file>")
  .option(PASSPHRASE_OPTION, PASSPHRASE_MEANING)
  .action((file: string, options: { passphraseFile?: string }) =>
    runRestore(withPassphrase(options), file, (line) => console.log(line)),
  );
program
  .command("restored")
  .description(
    "after the database was restored by other means than `restore`: make all clients load everything again",
  )
  .action(() => run({ name: "restored" }));
program
  .command("correct-times")
  .description(
    "after the clock was ahead: give messages from the future the time at which they were received",
  )
  .action(() => run({ name: "correctTimes" }));
program
  .command("doctor")
  .description("check the data, and what the server uses, without changing anything")
  .option(
    "--fix",
    "put right what is safe: rights of files, leftovers, files that the database does not know",
  )
  .action(async ({ fix = false }: { fix?: boolean }) => {
    const config = loadConfig(process.env);
    for (const line of fix ? await fixWhatIsSafe(config) : []) console.log(line);
    const damages = await runDoctor(config);
    const problems = await checkServices(config);
    const lines = [...damages, ...(damages.length > 0 ? [UNHEALTHY] : []), ...problems];
    console.log(lines.join("\n") || "No problems found.");
    if (lines.length > 0) process.exitCode = 1;
  });
program
  .command("copy")
  .description("copy the SQLite database and the files of DATA_DIR to other storage, and compare everything")
  .option("--to <url>", "an empty PostgreSQL database; its password may be in PGPASSWORD instead")
  .option("--files-to-s3", "copy the files to the storage that S3_ENDPOINT and S3_BUCKET name")
  .action(async (targets: CopyTargets) => {
    const isSame = await runCopy(loadConfig(process.env), targets, (line) => console.log(line));
    if (!isSame) process.exitCode = 1;
  });
program
  .command("stats")
  .description("people, messages, sizes")
  .action(() => run({ name: "stats" }));

program.parseAsync().catch((error: unknown) => {
  // A failed system call, for example on a folder of another account, needs no stack trace.
  const isPlain = isUserFacingError(error) || (error instanceof Error && "syscall" in error);
  console.error(isPlain ? error.message : error);
  process.exitCode = 1;
});
