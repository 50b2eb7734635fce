// Serves the gallery of the web client. Arguments go to Vite, for example `--port 6000`.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { repository } from "./lib/files.ts";

const args = [join(repository, "node_modules/vite/bin/vite.js"), "--config", "gallery.config.ts"];
const vite = spawn(process.execPath, [...args, ...process.argv.slice(2)], {
  cwd: join(repository, "packages/web"),
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => vite.kill("SIGTERM"));
vite.on("exit", (code) => {
  process.exitCode = code ?? 0;
});
