import { expect, test } from "vitest";
import { isNamed, peopleNamedIn, nameParams, tipKeyOf } from "./tips.ts";

const tip = (key: string, params: Record<string, string | number> = {}) => ({ key, params });

test("the key of a tip that only a newer server knows is null", () => {
  expect(tipKeyOf(tip("recalled"))).toBe("recalled");
  expect(tipKeyOf(tip("group.painted"))).toBeNull();
  expect(tipKeyOf(tip("toString"))).toBeNull();
});

test("a tip refers to its sender or to the person of a parameter", () => {
  const recalledBy = tip("recalledBy", { nameId: 9 });
  expect(isNamed(recalledBy, "name", 9, 7)).toBe(true);
  expect(isNamed(recalledBy, "name", 7, 7)).toBe(false);
  expect(isNamed(recalledBy, "author", 7, 7)).toBe(true);
  expect(isNamed(recalledBy, "author", 9, 7)).toBe(false);
  expect(isNamed(tip("recalled"), "author", 7, 7)).toBe(false);
  expect(isNamed(tip("group.painted"), "name", 7, 7)).toBe(false);
});

test("the people of a tip have ids only if the tip has one id for each name", () => {
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
