import { expect, test } from "vitest";
import type { Failure } from "@parley/core/model/state";
import { stepForm, type FormEvent, type FormState } from "./form-state.ts";

interface Values {
  readonly name: string;
  readonly password: string;
}
type State = FormState<Values>;

const FAILURE: Failure = { kind: "network", reason: "offline" };
const FIELDS = ["name", "password"] as const;
const EMPTY: State = {
  values: { name: "", password: "" },
  leftFields: new Set(),
  isSending: false,
  failure: null,
};
const after = (state: State, ...events: readonly FormEvent<Values>[]) =>
  events.reduce(stepForm<Values>, state);
const submitted = (isValid: boolean): FormEvent<Values> => ({ kind: "submitted", fields: FIELDS, isValid });
const changed = (part: Partial<Values>, failedField?: keyof Values): FormEvent<Values> => ({
  kind: "changed",
  part,
  failedField,
});

test("a change keeps the other values and shows no error", () => {
  const state = after(EMPTY, changed({ name: "lin" }), changed({ password: "secret" }));
  expect(state).toEqual({ ...EMPTY, values: { name: "lin", password: "secret" } });
});

test("a field that was left shows its error", () => {
  const state = after(EMPTY, { kind: "left", field: "name" }, { kind: "left", field: "name" });
  expect(state.leftFields).toEqual(new Set(["name"]));
});

test("a submission shows all errors, and is sent only if there are none", () => {
  expect(after(EMPTY, submitted(false))).toEqual({ ...EMPTY, leftFields: new Set(FIELDS) });
  expect(after(EMPTY, submitted(true))).toEqual({ ...EMPTY, leftFields: new Set(FIELDS), isSending: true });
});

test("a failure is shown until the next submission that is sent", () => {
  const failed = after(EMPTY, submitted(true), { kind: "answered", failure: FAILURE });
  expect(failed).toMatchObject({ isSending: false, failure: FAILURE });
  expect(after(failed, submitted(false)).failure).toBe(FAILURE);
  expect(after(failed, submitted(true)).failure).toBeNull();
  expect(after(failed, submitted(true), { kind: "answered", failure: null }).isSending).toBe(false);
});

test("a failure about a field disappears when that field changes", () => {
  const failed: State = { ...EMPTY, failure: FAILURE };
  expect(after(failed, changed({ name: "lin" }, "name")).failure).toBeNull();
  expect(after(failed, changed({ password: "secret" }, "name")).failure).toBe(FAILURE);
  expect(after(failed, changed({ name: "lin" })).failure).toBe(FAILURE);
});
