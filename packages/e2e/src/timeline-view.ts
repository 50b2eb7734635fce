import { expect, type Locator } from "@playwright/test";
import type { Person } from "./person.ts";

/** A row of the conversation and where it stands below the upper edge of the view. */
export interface Anchor {
  readonly id: string;
  readonly y: number;
}

/** What a person sees of a conversation: rows and distances, measured in the page. */
export class TimelineView {
  readonly log: Locator;

  constructor(person: Person) {
    this.log = person.page.getByRole("log");
  }

  /** The first row that is wholly in view. */
  top(): Promise<Anchor> {
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

  /** Where a row stands now; null when it is not mounted. */
  yOf(id: string): Promise<number | null> {
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
  async settle(): Promise<void> {
    await this.log.evaluate(async (log) => {
      const look = () => `${log.scrollTop} ${log.scrollHeight} ${log.querySelectorAll("[data-mid]").length}`;
      let last = look();
      for (let calm = 0; calm < 6; calm++) {
        await new Promise(requestAnimationFrame);
        const now = look();
        if (now !== last) calm = -1;
        last = now;
      }
    });
  }

  /** One turn of the wheel over the messages; `pixels` below zero goes up. */
  async wheel(pixels: number): Promise<void> {
    await this.log.hover();
    await this.log.page().mouse.wheel(0, pixels);
  }

  /** Waits until a row stands where it should, to the pixel. */
  async expectAt(anchor: Anchor): Promise<void> {
    await expect
      .poll(async () => Math.abs(((await this.yOf(anchor.id)) ?? Infinity) - anchor.y), {
        message: `row ${anchor.id} at ${anchor.y}`,
      })
      .toBeLessThanOrEqual(1);
    await this.settle();
    const y = await this.yOf(anchor.id);
    expect(Math.abs((y ?? Infinity) - anchor.y)).toBeLessThanOrEqual(1);
  }
}
