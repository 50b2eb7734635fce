import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repository } from "./lib/files.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-run-"));
  mkdirSync(join(root, "tools"));
  mkdirSync(join(root, "packages/server/src/cli"), { recursive: true });
  cpSync(join(repository, "tools/run.mjs"), join(root, "tools/run.mjs"));
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeTask('console.log("ran with", ...process.argv.slice(2));');
  writeNpm('mkdirSync("node_modules", { recursive: true }); appendFileSync("installs", "x");');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Writes the script that `npm run admin` starts. */
function writeTask(text: string): void {
  writeFileSync(join(root, "packages/server/src/cli/admin.ts"), text);
}

/** Writes a replacement for npm. */
function writeNpm(text: string): void {
  const imports = 'import { appendFileSync, mkdirSync } from "node:fs";';
  mkdirSync(join(root, "npm"), { recursive: true });
  writeFileSync(join(root, "npm/package.json"), '{"type":"module"}');
  writeFileSync(join(root, "npm/npm-cli.js"), `${imports}\n${text}\n`);
}

function start(args: string[]) {
  const env = { ...process.env, npm_execpath: join(root, "npm/npm-cli.js") };
  const child = spawn(process.execPath, [join(root, "tools/run.mjs"), ...args], { env });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  const exited = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
  return { child, exited, output: () => output };
}

test("packages are installed once, and arguments and the exit code are passed through", async () => {
  const first = await start(["admin", "list", "--all"]).exited;
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining("ran with list --all") as string });
  expect(first.output).toContain("installs its packages");

  writeTask("process.exit(7);");
  const second = await start(["admin"]).exited;
  expect(second).toEqual({ code: 7, output: "" });

  writeFileSync(join(root, "package-lock.json"), '{"changed":true}');
  expect((await start(["admin"]).exited).output).toContain("installs its packages");
});

test("a failed install prints one sentence and is tried again next time", async () => {
  writeNpm("process.exit(5);");
  const { code, output } = await start(["admin"]).exited;
  expect({ code, last: output.trim().split("\n").at(-1) }).toEqual({
    code: 1,
    last: "parley: the install failed: check that the npm registry can be reached, then run the same command again.",
  });
  expect(existsSync(join(root, "node_modules/.parley-install"))).toBe(false);
});

test("an unknown task prints the names of all tasks", async () => {
  const { code, output } = await start(["strat"]).exited;
  expect(code).toBe(1);
  expect(output).toMatch(/^parley: no task "strat"; there are start, dev, test/);
});

test.skipIf(process.platform === "win32")(
  "a signal is forwarded, and the command waits for the process to end",
  async () => {
    writeTask(
      'process.on("SIGTERM", () => setTimeout(() => process.exit(0), 100)); setInterval(() => {}, 1000); console.log("serving");',
    );
    const { child, exited, output } = start(["admin"]);
    await expect.poll(output).toContain("serving");
    child.kill("SIGTERM");
    expect((await exited).code).toBe(0);
  },
);
