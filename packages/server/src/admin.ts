/** `npm run admin -- <command>`: through the running server when there is one, else on the store itself. */
import { Command, InvalidArgumentError } from "commander";
import { type AdminCommand, askServer } from "./admin-socket.ts";
import { isForPeople, runWithoutServer } from "./app.ts";
import { dataFolder, loadConfig } from "./config.ts";

async function run(command: AdminCommand): Promise<void> {
  const config = loadConfig(process.env);
  const answer = (await askServer(dataFolder(config), command)) ?? (await runWithoutServer(config, command));
  if ("error" in answer) {
    console.error(answer.error);
    process.exitCode = 1;
  } else {
    console.log(answer.text);
  }
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}

const program = new Command("admin").description(
  "Administers this Parley server (DATA_DIR as for the server).",
);
program
  .command("users")
  .description("list everybody: id, user name, nickname, registered")
  .action(() => run({ name: "users" }));
const inviteCode = program.command("invite-code").description("codes for registering");
inviteCode
  .command("create")
  .description("make a code")
  .option("--uses <n>", "how many people may use it", positive, 1)
  .option("--days <n>", "how long it works; for ever when left out", positive)
  .action(({ uses, days }: { uses: number; days?: number }) =>
    run({ name: "createInviteCode", uses, days: days ?? null }),
  );
program
  .command("reset-password")
  .description("give a person a new password and end all of their sessions")
  .argument("<userName>")
  .action((userName: string) => run({ name: "resetPassword", userName }));

program.parseAsync().catch((error: unknown) => {
  console.error(isForPeople(error) ? error.message : error);
  process.exitCode = 1;
});
