import { type CDPSession, expect, type Locator } from "@playwright/test";
import type { Person } from "./person.ts";

/** A row of the conversation and where it stands below the upper edge of the view. */
export interface Anchor {
  readonly id: string;
  readonly y: number;
}

/** What a person sees of a conversation: rows and distances, measured in the page. */
export class TimelineView {
  readonly log: Locator;
  #finger: CDPSession | null = null;

  constructor(person: Person) {
    this.log = person.page.getByRole("log");
  }

  /** The first row that is wholly in view. */
  firstVisibleRow(): Promise<Anchor> {
    return this.log.evaluate((log) => {
      const edge = log.getBoundingClientRect().top;
      const rows = [...log.querySelectorAll<HTMLElement>("[data-mid]")].map((row) => ({
        id: row.dataset["mid"] ?? "",
        y: row.getBoundingClientRect().top - edge,
      }));
      const [first] = rows.filter(({ y }) => y >= 0).toSorted((a, b) => a.y - b.y);
      if (first === undefined) throw new Error("no message in view");
      return first;
    });
  }

  /** Ids of others' messages that are mounted above the view, from the view upwards. */
  idsAboveView(): Promise<number[]> {
    return this.log.evaluate((log) => {
      const edge = log.getBoundingClientRect().top;
      return [...log.querySelectorAll<HTMLElement>("[data-seen-id]")]
        .map((row) => ({ id: Number(row.dataset["mid"]), bottom: row.getBoundingClientRect().bottom - edge }))
        .filter(({ bottom }) => bottom < 0)
        .toSorted((a, b) => b.bottom - a.bottom)
        .map(({ id }) => id);
    });
  }

  /** Where a row stands now; null when it is not mounted. */
  rowTop(id: string): Promise<number | null> {
    return this.log.evaluate((log, mid) => {
      const row = log.querySelector(`[data-mid="${CSS.escape(mid)}"]`);
      return row === null ? null : row.getBoundingClientRect().top - log.getBoundingClientRect().top;
    }, id);
  }

  /** Pixels above and below the view, and the number of mounted messages. */
  measure(): Promise<{ above: number; below: number; rows: number; height: number; total: number }> {
    return this.log.evaluate((log) => ({
      above: log.scrollTop,
      below: log.scrollHeight - log.clientHeight - log.scrollTop,
      rows: document.querySelectorAll("[data-mid]").length,
      height: log.clientHeight,
      total: log.scrollHeight,
    }));
  }

  /** Until nothing has moved or grown for some frames. */
  async waitUntilStable(): Promise<void> {
    await this.log.evaluate(async (log) => {
      const snapshot = () =>
        `${log.scrollTop} ${log.scrollHeight} ${log.querySelectorAll("[data-mid]").length}`;
      let last = snapshot();
      for (let calm = 0; calm < 6; calm++) {
        await new Promise(requestAnimationFrame);
        const now = snapshot();
        if (now !== last) calm = -1;
        last = now;
      }
    });
  }

  /** Distance of the unread divider from the upper edge, as a part of the height. */
  async dividerAt(): Promise<number> {
    const divider = this.log.locator("[data-unread-divider]");
    await expect(divider).toBeVisible();
    await this.waitUntilStable();
    return divider.evaluate((row) => {
      const view = row.closest('[role="log"]')?.getBoundingClientRect();
      if (view === undefined) throw new Error("the divider stands in no conversation");
      return (row.getBoundingClientRect().top - view.top) / view.height;
    });
  }

  /** The numbers of the messages that are mounted ("No 12 ..."), from top to bottom. */
  numbers(): Promise<number[]> {
    return this.log.evaluate((log) =>
      [...log.querySelectorAll<HTMLElement>("[data-mid]")]
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => Number(/No (\d+)/.exec(row.textContent)?.[1] ?? Number.NaN)),
    );
  }

  /** One turn of the wheel over the messages; `pixels` below zero goes up. */
  async wheel(pixels: number): Promise<void> {
    await this.log.hover();
    await this.log.page().mouse.wheel(0, pixels);
  }

  /** A finger pulls the messages down and is lifted while it moves, so that they roll on. */
  async flick(): Promise<void> {
    const page = this.log.page();
    const box = await this.log.boundingBox();
    if (box === null) throw new Error("the conversation is not on the screen");
    if (this.#finger === null) {
      this.#finger = await page.context().newCDPSession(page);
      await this.#finger.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    }
    const finger = this.#finger;
    let seconds = Date.now() / 1_000;
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
      finger.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: y === undefined ? [] : [{ x: box.x + box.width / 2, y: box.y + y }],
        // However slow the test is, the finger is quick.
        timestamp: (seconds += 0.008),
      });
    await touch("touchStart", 60);
    for (let step = 1; step <= 8; step++) await touch("touchMove", 60 + step * 30);
    await touch("touchEnd");
  }

  /** Waits until a row stands where it should, to the pixel. */
  async expectAt(anchor: Anchor): Promise<void> {
    await expect
      .poll(async () => Math.abs(((await this.rowTop(anchor.id)) ?? Infinity) - anchor.y), {
        message: `row ${anchor.id} at ${anchor.y}`,
      })
      .toBeLessThanOrEqual(1);
    await this.waitUntilStable();
    const y = await this.rowTop(anchor.id);
    expect(Math.abs((y ?? Infinity) - anchor.y)).toBeLessThanOrEqual(1);
  }

  /**
   * Scrolls on and on until the message of this number is mounted. Answers the most messages that were ever mounted at once, and numbers
   * that were not followed by the next one.
   */
  scrollUntil(step: 1 | -1, until: number): Promise<{ most: number; gaps: string[] }> {
    return this.log.evaluate(
      async (log, { direction, goal }) => {
        let most = 0;
        const gaps = new Set<string>();
        const frame = () => new Promise(requestAnimationFrame);
        for (;;) {
          const rows = [...log.querySelectorAll<HTMLElement>("[data-mid]")].map((row) => ({
            number: Number(/No (\d+)/.exec(row.textContent)?.[1] ?? Number.NaN),
            y: row.getBoundingClientRect().top,
          }));
          most = Math.max(most, rows.length);
          rows.sort((a, b) => a.y - b.y);
          for (const [index, { number }] of rows.entries()) {
            const next = rows[index + 1];
            if (next !== undefined && next.number !== number + 1) gaps.add(`${number} ${next.number}`);
          }
          if (rows.some(({ number }) => (number - goal) * direction >= 0)) return { most, gaps: [...gaps] };
          log.scrollTop += direction * 4_000;
          await frame();
          await frame();
        }
      },
      { direction: step, goal: until },
    );
  }

  /** From now on looks at each frame whether the text goes one way only, and no further than somebody scrolled. */
  async watchForJumps(): Promise<void> {
    await this.log.evaluate((log) => {
      const watch = { jumps: [] as string[], height: log.scrollHeight, isOver: false };
      Object.assign(window, { parleyWatch: watch });
      const places = () =>
        new Map(
          [...log.querySelectorAll<HTMLElement>("[data-mid]")].map((row) => [
            row.dataset["mid"],
            row.getBoundingClientRect().top,
          ]),
        );
      let before = places();
      const look = () => {
        const now = places();
        const moves = [...now].flatMap(([mid, y]) => {
          const was = before.get(mid);
          return was === undefined ? [] : [y - was];
        });
        const [least, most] = [Math.min(...moves), Math.max(...moves)];
        // All go together, and never down: everybody here scrolls up. A page is higher than this, and what a hand does in one frame is less,
        // also in a long one.
        if (moves.length > 0 && (most - least > 1 || least < -1 || most > 1_500)) {
          watch.jumps.push(`${least} ${most}`);
        }
        before = now;
        if (!watch.isOver) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }

  /** Jumps since `watchStill`, and whether a page came meanwhile. */
  stopWatching(): Promise<{ jumps: string[]; grown: boolean }> {
    return this.log.evaluate((log) => {
      const { parleyWatch: watch } = window as unknown as {
        parleyWatch: { jumps: string[]; height: number; isOver: boolean };
      };
      watch.isOver = true;
      return { jumps: watch.jumps, grown: log.scrollHeight > watch.height + 1_500 };
    });
  }
}
