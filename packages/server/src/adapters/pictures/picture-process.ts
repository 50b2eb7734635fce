/** Entry of a process that encodes pictures for the server, one after the other. It ends with the server, however that ends. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import type { PictureJob } from "../../ports/picture-encoder.ts";
import { encodePicture } from "./encode-picture.ts";
import { OUT_OF_MEMORY, PRIORITIES, type PictureMessage } from "./picture-messages.ts";

/** A picture of 50 megapixels needs some hundred MB. */
const MEMORY_MAX_BYTES = 1_073_741_824;
/** The memory that pictures leave behind is used again by the next one, up to this. */
const MEMORY_KEPT_BYTES = 268_435_456;
const MEMORY_CHECK_MS = 50;

const effort = process.argv[2] === "small" ? "small" : "large";

/** What helps others, and is not possible everywhere. Without it, pictures are encoded all the same. */
function ifPossible(act: () => void): void {
  try {
    act();
  } catch {
    // Windows and macOS know no such file, and some sandboxes allow no change.
  }
}

// People who chat come first, and small pictures before large ones.
ifPossible(() => setPriority(PRIORITIES[effort]));
// If memory runs out, the system ends this process and not the server.
ifPossible(() => writeFileSync("/proc/self/oom_score_adj", "1000"));

// The signals of a terminal and of systemd go to all processes. The server needs this one until it has answered what it has begun.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
// The usual end of a process waits for its decoders.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

/** Decoders run in threads, so this thread sees what they use. */
setInterval(() => {
  if (process.memoryUsage.rss() <= MEMORY_MAX_BYTES) return;
  send({ kind: OUT_OF_MEMORY }, () => process.kill(process.pid, "SIGKILL"));
}, MEMORY_CHECK_MS);

process.on("message", (job: PictureJob) => {
  void encodePicture(job).then((outcome) => {
    const isWornOut = process.memoryUsage.rss() > MEMORY_KEPT_BYTES;
    send({ kind: "done", outcome, isWornOut });
  });
});
send({ kind: "ready" });

function send(message: PictureMessage, whenSent?: () => void): void {
  process.send?.(message, undefined, undefined, whenSent);
}
