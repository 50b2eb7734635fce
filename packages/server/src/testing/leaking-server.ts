/** Starts main.ts, and uses more and more memory until Node ends the process. */
const kept: unknown[] = [];
setInterval(() => {
  kept.push(Array.from({ length: 20_000 }, (_, index) => ({ index })));
}, 50);

await import("../main.ts");
