import { type CDPSession, expect, type Locator } from "@playwright/test";
import type { Person } from "./person.ts";

/** A row of the conversation and its distance below the upper edge of the view. */
export interface Anchor {
  readonly id: string;
  readonly y: number;
}

/** The visible part of a conversation: rows and distances, measured in the page. */
export class TimelineView {
  readonly log: Locator;
  #touchSession: CDPSession | null = null;

  constructor(person: Person) {
    this.log = person.page.getByRole("log");
  }

  /** The first row that is completely in view. */
  firstVisibleRow(): Promise<Anchor> {
    return this.log.evaluate((log) => {
      const edge = log.getBoundingClientRect().top;
      const rows = [...log.querySelectorAll<HTMLElement>("[data-mid]")].map((row) => ({
        id: row.dataset["mid"] ?? "",
        y: row.getBoundingClientRect().top - edge,
      }));
      const [first] = rows.filter(({ y }) => y >= 0).toSorted((a, b) => a.y - b.y);
      if (first === undefined) throw new Error("no message is in view");
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

  /** The distance of a row from the upper edge of the view; null if it is not mounted. */
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

  /** Waits until nothing has moved or grown for some frames. */
  async waitUntilStable(): Promise<void> {
    await this.log.evaluate(async (log) => {
      const snapshot = () =>
        `${log.scrollTop} ${log.scrollHeight} ${log.querySelectorAll("[data-mid]").length}`;
      let last = snapshot();
      for (let stableFrames = 0; stableFrames < 6; stableFrames++) {
        await new Promise(requestAnimationFrame);
        const now = snapshot();
        if (now !== last) stableFrames = -1;
        last = now;
      }
    });
  }

  /** Waits until the view is at the end. */
  async expectAtEnd(): Promise<void> {
    await expect.poll(async () => (await this.measure()).below).toBeLessThanOrEqual(1);
  }

  /** The view is at the end once nothing moves. */
  async expectRestsAtEnd(): Promise<void> {
    // A wheel that was turned just now has not moved anything yet.
    await this.expectAtEnd();
    await this.waitUntilStable();
    expect((await this.measure()).below).toBeLessThanOrEqual(1);
  }

  /** The distance of the unread divider from the upper edge, as a fraction of the view's height. */
  async dividerAt(): Promise<number> {
    const divider = this.log.locator("[data-unread-divider]");
    await expect(divider).toBeVisible();
    await this.waitUntilStable();
    return divider.evaluate((row) => {
      const view = row.closest('[role="log"]')?.getBoundingClientRect();
      if (view === undefined) throw new Error("the divider is not in a conversation");
      return (row.getBoundingClientRect().top - view.top) / view.height;
    });
  }

  /** The numbers of the mounted messages ("No 12 ..."), from top to bottom. */
  numbers(): Promise<number[]> {
    return this.log.evaluate((log) =>
      [...log.querySelectorAll<HTMLElement>("[data-mid]")]
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => Number(/No (\d+)/.exec(row.textContent)?.[1] ?? Number.NaN)),
    );
  }

  /** Turns the wheel once over the messages. Negative `pixels` scroll up. */
  async wheel(pixels: number): Promise<void> {
    await this.log.hover();
    await this.log.page().mouse.wheel(0, pixels);
  }

  /** A finger drags the messages down and is lifted while it moves, so that they keep scrolling. */
  async flick(): Promise<void> {
    const page = this.log.page();
    const box = await this.log.boundingBox();
    if (box === null) throw new Error("the conversation is not visible");
    if (this.#touchSession === null) {
      this.#touchSession = await page.context().newCDPSession(page);
      await this.#touchSession.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    }
    const session = this.#touchSession;
    let seconds = Date.now() / 1_000;
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: y === undefined ? [] : [{ x: box.x + box.width / 2, y: box.y + y }],
        // The timestamps make the gesture fast even if the test is slow.
        timestamp: (seconds += 0.008),
      });
    await touch("touchStart", 60);
    // Slow enough that a frame of half a second scrolls less than the height of a page, which `watchForJumps` takes for a jump.
    for (let step = 1; step <= 8; step++) await touch("touchMove", 60 + step * 20);
    await touch("touchEnd");
  }

  /** Waits until a row is where it should be, to the pixel. */
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
   * Scrolls until the message with this number is mounted. Returns the highest number of messages that were mounted at once, and the pairs
   * of neighbours whose numbers are not consecutive.
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

  /** From now on checks at each frame that all rows move together, only downwards, and not further than a user scrolls. */
  async watchForJumps(): Promise<void> {
    await this.log.evaluate((log) => {
      const watch = { jumps: [] as string[], height: log.scrollHeight, isOver: false };
      Object.assign(window, { parleyWatch: watch });
      const positions = () =>
        new Map(
          [...log.querySelectorAll<HTMLElement>("[data-mid]")].map((row) => [
            row.dataset["mid"],
            row.getBoundingClientRect().top,
          ]),
        );
      let before = positions();
      const compare = () => {
        const now = positions();
        const moves = [...now].flatMap(([mid, y]) => {
          const previous = before.get(mid);
          return previous === undefined ? [] : [y - previous];
        });
        const [least, most] = [Math.min(...moves), Math.max(...moves)];
        // Callers scroll up only, so the rows move down together. A loaded page is higher than this limit, and a user scrolls less in one
        // frame, even in a long one.
        if (moves.length > 0 && (most - least > 1 || least < -1 || most > 1_500)) {
          watch.jumps.push(`${least} ${most}`);
        }
        before = now;
        if (!watch.isOver) requestAnimationFrame(compare);
      };
      requestAnimationFrame(compare);
    });
  }

  /** Returns the jumps since `watchForJumps`, and whether a page was loaded since. */
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
