import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Soak, growthOf } from "../src/soak.ts";

const MESSAGES = 60;

test("what a page holds does not grow with what it has seen, and what does grow is found", async ({
  browser,
}) => {
  test.slow();
  const dataDir = await mkdtemp(join(tmpdir(), "parley-soak-"));
  const soak = await Soak.begin(browser, { dataDir, chats: 2, filled: 60 });
  try {
    // Until all rows that are mounted are of this talk.
    await soak.talk(2 * MESSAGES);
    const first = await soak.look();
    await soak.talk(MESSAGES);
    const second = await soak.look();
    expect(growthOf(first, second)).toEqual([]);

    await soak.lin.page.evaluate(leak);
    await soak.talk(MESSAGES);
    const grown = growthOf(second, await soak.look()).join("\n");
    for (const what of ["heap of the page", "listeners", "nodes", "detached nodes"]) {
      expect(grown).toContain(what);
    }
  } finally {
    expect(await soak.close()).toEqual([]);
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** A page that forgets nothing of what changes in it. */
function leak(): void {
  const kept: unknown[] = [];
  new MutationObserver((changes) => {
    const node = document.createElement("div");
    node.addEventListener("click", () => kept.length);
    kept.push(
      node,
      Array.from({ length: 10_000 }, () => changes.length / 3),
    );
  }).observe(document, { childList: true, subtree: true });
}
