import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { goDown, goUp } from "./go-up.ts";

interface Entry {
  readonly state: unknown;
  readonly path: string;
}

let entries: Entry[];
/** What the browser does later. */
let later: (() => void)[];

const top = () => entries.at(-1);
const runLater = () => later.splice(0).forEach((run) => run());

beforeEach(() => {
  vi.useFakeTimers();
  entries = [{ state: null, path: "/home/group" }];
  later = [];
  vi.stubGlobal("location", {
    get pathname() {
      return top()?.path;
    },
    search: "",
  });
  vi.stubGlobal("history", {
    get state() {
      return top()?.state;
    },
    pushState: (state: unknown, _title: string, path: string) => void entries.push({ state, path }),
    replaceState: (state: unknown, _title: string, path: string) =>
      void entries.splice(-1, 1, { state, path }),
    back: () => void later.push(() => entries.pop()),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const paths = () => entries.map(({ path }) => path);

test("goes back over the entries that it went down, and replaces one whose page above is not below it", () => {
  goDown("/home/group/5");
  goDown("/home/group/5");
  goDown("/home/group/5/members");
  expect(paths()).toEqual(["/home/group", "/home/group/5", "/home/group/5/members"]);
  goUp("/home/group/5");
  runLater();
  expect(paths()).toEqual(["/home/group", "/home/group/5"]);
  goUp("/home/chat");
  expect(paths()).toEqual(["/home/group", "/home/chat"]);
});

test("goes back once when it is pressed again before the browser has gone back, and again after that", () => {
  goDown("/home/group/5");
  goDown("/home/group/5/members");
  goUp("/home/group/5");
  goUp("/home/group/5");
  goUp("/home/group");
  runLater();
  expect(paths()).toEqual(["/home/group", "/home/group/5"]);
  goUp("/home/group");
  runLater();
  expect(paths()).toEqual(["/home/group"]);
});

test("goes back when it is pressed again a second after the browser did not", () => {
  goDown("/home/group/5");
  goUp("/home/group");
  later = [];
  vi.advanceTimersByTime(1_000);
  goUp("/home/group");
  runLater();
  expect(paths()).toEqual(["/home/group"]);
});
