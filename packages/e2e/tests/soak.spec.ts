import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { test } from "../src/fixtures.ts";
import { testInFullRun } from "../src/full-run.ts";
import { Soak, excessiveGrowth } from "../src/soak.ts";

const MESSAGES = 60;

testInFullRun(
  "the memory of a page does not grow with messages seen, and an artificial leak is detected",
  async ({ browser }) => {
    test.slow();
    const dataDir = await mkdtemp(join(tmpdir(), "parley-soak-"));
    const soak = await Soak.start(browser, { dataDir, chats: 2, messagesPerChat: 60 });
    try {
      // After these messages all mounted rows belong to the exchange and none to the prepared history.
      await soak.exchangeMessages(2 * MESSAGES);
      const first = await soak.sample();
      await soak.exchangeMessages(MESSAGES);
      const second = await soak.sample();
      expect(excessiveGrowth(first, second)).toEqual([]);

      await soak.lin.page.evaluate(leak);
      await soak.exchangeMessages(MESSAGES);
      const grown = excessiveGrowth(second, await soak.sample()).join("\n");
      for (const what of ["heap of the page", "listeners", "nodes", "detached nodes"]) {
        expect(grown).toContain(what);
      }
    } finally {
      expect(await soak.close()).toEqual([]);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

/** Makes the page leak memory at each change of its document. */
function leak(): void {
  const leaked: unknown[] = [];
  new MutationObserver((changes) => {
    const node = document.createElement("div");
    node.addEventListener("click", () => leaked.length);
    leaked.push(
      node,
      Array.from({ length: 10_000 }, () => changes.length / 3),
    );
  }).observe(document, { childList: true, subtree: true });
}
