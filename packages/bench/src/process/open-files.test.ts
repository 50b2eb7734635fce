import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { socketsThatFit } from "./open-files.ts";

test("where a process may open enough files there are as many sockets as wanted, and otherwise as many as fit beside other files", () => {
  expect(socketsThatFit(20_000, Infinity)).toBe(20_000);
  expect(socketsThatFit(20_000, 65_536)).toBe(20_000);
  expect(socketsThatFit(20_000, 20_500)).toBe(20_000);
  expect(socketsThatFit(20_000, 20_000)).toBe(19_500);
});

test.skipIf(process.platform === "win32")("the limit of open files is the one that the shell has set", () => {
  const module = fileURLToPath(new URL("./open-files.ts", import.meta.url));
  const script = `import(process.argv[1]).then(({ openFilesLimit }) => console.log(openFilesLimit()))`;
  const command = `ulimit -n 1234 && exec "$0" -e "$1" "$2"`;
  const output = execFileSync("sh", ["-c", command, process.execPath, script, module], { encoding: "utf8" });
  expect(output.trim()).toBe("1234");
});
