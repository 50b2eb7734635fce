import { expect, test } from "vitest";
import { isNamed, peopleNamedIn, nameParams, tipKeyOf } from "./tips.ts";

const tip = (key: string, params: Record<string, string | number> = {}) => ({ key, params });

test("the key of a tip that only a newer server knows is none", () => {
  expect(tipKeyOf(tip("recalled"))).toBe("recalled");
  expect(tipKeyOf(tip("group.painted"))).toBeNull();
  expect(tipKeyOf(tip("toString"))).toBeNull();
});

test("a tip names its sender or the person of a parameter", () => {
  const by = tip("recalledBy", { nameId: 9 });
  expect(isNamed(by, "name", 9, 7)).toBe(true);
  expect(isNamed(by, "name", 7, 7)).toBe(false);
  expect(isNamed(by, "author", 7, 7)).toBe(true);
  expect(isNamed(by, "author", 9, 7)).toBe(false);
  expect(isNamed(tip("recalled"), "author", 7, 7)).toBe(false);
  expect(isNamed(tip("group.painted"), "name", 7, 7)).toBe(false);
});

test("the people of a tip have their ids, unless it tells none or another number of them", () => {
  const people = [
    { name: "Ann", id: 7 },
    { name: "Doe, J.", id: 8 },
  ];
  expect(nameParams(people)).toEqual({ names: "Ann,Doe\\, J.", ids: "7,8" });
  expect(peopleNamedIn(tip("group.invited", nameParams(people)))).toEqual(people);
  const nameless = people.map(({ name }) => ({ name, id: null }));
  const { names } = nameParams(people);
  expect(peopleNamedIn(tip("group.invited", { names }))).toEqual(nameless);
  expect(peopleNamedIn(tip("group.invited", { names, ids: "7" }))).toEqual(nameless);
  expect(peopleNamedIn(tip("group.invited", { names, ids: 7 }))).toEqual(nameless);
  expect(peopleNamedIn(tip("group.invited", { names: 3 }))).toEqual([]);
});
