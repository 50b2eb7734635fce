/** Entry of a process that encodes pictures for the server, one after the other. It ends with the server, however that ends. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { encodePicture } from "./encode-picture.ts";
import type { PictureMessage, PictureRequest } from "./picture-messages.ts";

/** A picture of 50 megapixels needs some hundred MB. */
const MEMORY_MAX_BYTES = 1_073_741_824;
/** The memory that pictures leave behind is used again by the next one, up to this. */
const MEMORY_KEPT_BYTES = 268_435_456;
const CHECK_MS = 50;
/** Niceness: low enough that a busy machine still gets to it. */
const LARGE_PRIORITY = 5;

/** What helps others, and is not possible everywhere. Without it, pictures are encoded all the same. */
function ifPossible(act: () => void): void {
  try {
    act();
  } catch {
    // Windows and macOS know no such file, and some sandboxes allow no change.
  }
}

// People who chat and small pictures come first.
if (process.argv[2] === "large") ifPossible(() => setPriority(LARGE_PRIORITY));
// If memory runs out, the system ends this process and not the server.
ifPossible(() => writeFileSync("/proc/self/oom_score_adj", "1000"));

// The signals of a terminal and of systemd go to all processes. The server needs this one until it has answered what it has begun.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
// The usual end of a process waits for its decoders.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

process.on("message", (request: PictureRequest) => {
  const cpuEnd = cpuMs() + request.cpuMs;
  // Decoders run in threads, so this thread sees what they use.
  const timer = setInterval(() => {
    if (cpuMs() > cpuEnd) giveUp("overTime");
    else if (process.memoryUsage.rss() > MEMORY_MAX_BYTES) giveUp("outOfMemory");
  }, CHECK_MS);
  void encodePicture(request.job).then((outcome) => {
    clearInterval(timer);
    const isWornOut = process.memoryUsage.rss() > MEMORY_KEPT_BYTES;
    send({ kind: "done", outcome, isWornOut });
  });
});
send({ kind: "ready" });

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function giveUp(kind: "overTime" | "outOfMemory"): void {
  send({ kind }, () => process.kill(process.pid, "SIGKILL"));
}

function send(message: PictureMessage, whenSent?: () => void): void {
  process.send?.(message, undefined, undefined, whenSent);
}
