import type { CDPSession } from "@playwright/test";
import type { Person } from "./person.ts";

type Point = readonly [x: number, y: number];

/** Fingers on the screen of a person. */
export class Fingers {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of({ page, context }: Person): Promise<Fingers> {
    return new Fingers(await context.newCDPSession(page));
  }

  /**
   * Moves fingers along straight lines, each from its first point to its second, and lifts them. The first movement is sent together with
   * the touch, so that a slow machine does not take it for a long press.
   */
  async move(lines: readonly (readonly [from: Point, to: Point])[], steps = 8): Promise<void> {
    const at = (part: number) =>
      lines.map(([[x, y], [toX, toY]], id) => ({ id, x: x + (toX - x) * part, y: y + (toY - y) * part }));
    await Promise.all([this.#send("touchStart", at(0)), this.#send("touchMove", at(1 / steps))]);
    for (let step = 2; step <= steps; step++) await this.#send("touchMove", at(step / steps));
    await this.#send("touchEnd", []);
  }

  /** Two taps within 60 ms by their timestamps, even if the machine is slow. */
  async doubleTap([x, y]: Point): Promise<void> {
    let seconds = Date.now() / 1_000;
    for (let tap = 0; tap < 2; tap++) {
      await this.#send("touchStart", [{ id: 0, x, y }], (seconds += 0.02));
      await this.#send("touchEnd", [], (seconds += 0.02));
    }
  }

  /** Puts one finger down, to be moved and lifted later. */
  async press([x, y]: Point): Promise<void> {
    await this.#send("touchStart", [{ id: 0, x, y }]);
  }

  /** Moves the finger that is down. */
  async slide([x, y]: Point): Promise<void> {
    await this.#send("touchMove", [{ id: 0, x, y }]);
  }

  async lift(): Promise<void> {
    await this.#send("touchEnd", []);
  }

  /** Takes the finger away as the system does, e.g. for a gesture of its own. */
  async interrupt(): Promise<void> {
    await this.#send("touchCancel", []);
  }

  #send(
    type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel",
    touchPoints: { id: number; x: number; y: number }[],
    /** In seconds; without it the event happens when it is handled. */
    timestamp?: number,
  ) {
    const time = timestamp !== undefined && { timestamp };
    return this.#session.send("Input.dispatchTouchEvent", { type, touchPoints, ...time });
  }
}
