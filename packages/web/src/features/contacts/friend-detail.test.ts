import { expect, test } from "vitest";
import { contactRows } from "./friend-detail.tsx";

test("the page of a person shows only the contact details that the server tells", () => {
  expect(contactRows(undefined)).toEqual([]);
  expect(contactRows({ mobile: null, email: null })).toEqual([]);
  expect(contactRows({ mobile: " ", email: "" })).toEqual([]);
  expect(contactRows({ mobile: "13800002046", email: null })).toEqual([["profile.mobile", "13800002046"]]);
  expect(contactRows({ mobile: "13800002046", email: "a@b.cn" })).toEqual([
    ["profile.mobile", "13800002046"],
    ["profile.email", "a@b.cn"],
  ]);
});
