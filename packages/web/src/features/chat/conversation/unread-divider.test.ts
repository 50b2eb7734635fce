import { describe, expect, it } from "vitest";
import { divideArrivals, dropDivider, openDivider } from "./unread-divider.ts";

const looking = () => true;
const away = () => false;

describe("the unread divider", () => {
  it("stands above the first unread message when a chat opens", () => {
    expect(openDivider([11, 13], 10)).toEqual({ after: 10, newest: 13 });
    expect(openDivider([], 13)).toEqual({ after: null, newest: 13 });
  });

  it("stays where it is while the person reads along", () => {
    const divider = openDivider([11, 13], 10);
    expect(divideArrivals(divider, [14], looking)).toEqual({ after: 10, newest: 14 });
  });

  it("stays where it is while older messages below it are unread", () => {
    const divider = openDivider([11, 13], 10);
    expect(divideArrivals(divider, [13, 14], away).after).toBe(10);
  });

  it("moves above what came while the person looked elsewhere", () => {
    const divider = openDivider([11, 13], 10);
    expect(divideArrivals(divider, [15, 16], away)).toEqual({ after: 14, newest: 16 });
  });

  it("goes away when the person writes", () => {
    expect(dropDivider(openDivider([1], 0)).after).toBeNull();
  });
});
