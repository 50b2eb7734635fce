/** Starts main.ts, and uses more and more memory until Node ends the process. */
const FULL_BYTES = 80_000_000;

const kept: unknown[] = [];
setInterval(() => {
  // Slowly near the end: then Node is busy collecting, and the server has to get a turn to say what is wrong.
  const count = process.memoryUsage().heapUsed < FULL_BYTES ? 20_000 : 5_000;
  kept.push(Array.from({ length: count }, (_, index) => ({ index })));
}, 50);

await import("../main.ts");
