import { expect, test } from "vitest";
import { userNamesIn } from "./notices-page.tsx";

test.each([
  ["", []],
  ["  \n ", []],
  ["lin", ["lin"]],
  ["lin, bo; mei\neva\tno", ["lin", "bo", "mei", "eva", "no"]],
  ["lin，bo、mei；eva", ["lin", "bo", "mei", "eva"]],
  ["bo lin bo", ["bo", "lin"]],
])("the user names in %j, each once", (text, names) => {
  expect(userNamesIn(text)).toEqual(names);
});
