/** Starts main.ts with a clock that the parent process sets. */

const RealDate = Date;
let aheadMs = 0;

globalThis.Date = class extends RealDate {
  constructor(...args: []) {
    // Only the current time is shifted, not a time that is given.
    if (args.length === 0) super(RealDate.now() + aheadMs);
    else super(...args);
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
} as DateConstructor;

process.on("message", (request: { aheadMs: number }) => {
  aheadMs = request.aheadMs;
  process.send?.(request);
});

// Do not outlive a test that was aborted.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

await import("@parley/server/main");
