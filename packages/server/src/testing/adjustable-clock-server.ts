/** The server as main.ts starts it, on a machine whose clock its parent sets. */

const RealDate = Date;
let aheadMs = 0;

globalThis.Date = class extends RealDate {
  constructor(...given: []) {
    // Only the time of now is another; what is given is a time like any.
    if (given.length === 0) super(RealDate.now() + aheadMs);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
} as DateConstructor;

process.on("message", (question: { aheadMs: number }) => {
  aheadMs = question.aheadMs;
  process.send?.(question);
});

// A test that broke off leaves nothing running.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

await import("../main.ts");
