// Starts the server, which restarts when its sources change, and Vite, which replaces changed modules of the client in the open page.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { repository } from "./lib/files.ts";

const port = process.env["PORT"] ?? "8080";
const inRoot = (path: string): string => join(repository, path);

const children = [
  spawn(process.execPath, ["--watch", "--watch-preserve-output", inRoot("packages/server/src/main.ts")], {
    stdio: "inherit",
    env: { ...process.env, PORT: port },
  }),
  spawn(process.execPath, [inRoot("node_modules/vite/bin/vite.js")], {
    cwd: inRoot("packages/web"),
    stdio: "inherit",
    env: { ...process.env, PARLEY_SERVER: `http://127.0.0.1:${port}` },
  }),
];

const stop = (): void => {
  for (const child of children) child.kill("SIGTERM");
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
// If one of them ends, stop the other one too.
for (const child of children) {
  child.on("exit", (code) => {
    process.exitCode ||= code ?? 0;
    stop();
  });
}
