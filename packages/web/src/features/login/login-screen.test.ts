import { expect, test } from "vitest";
import { initialForm } from "./login-screen.tsx";

type Session = Parameters<typeof initialForm>[0];

const session = (
  [rememberName, rememberPassword]: readonly [boolean, boolean],
  accounts: readonly (readonly [string, boolean])[] = [],
  canRememberPassword = true,
): Session => ({
  savedLoginOptions: () => ({ rememberName, rememberPassword }),
  savedAccounts: () =>
    accounts.map(([userName, hasPassword]) => ({
      userId: 1,
      userName,
      nickName: "",
      headImageThumb: null,
      hasPassword,
    })),
  canRememberPassword,
});

const EMPTY = { userName: "", password: "" };

test("the form restores the last state of its checkboxes", () => {
  expect(initialForm(session([false, false]))).toEqual({
    ...EMPTY,
    rememberName: false,
    rememberPassword: false,
  });
  expect(initialForm(session([true, false]))).toEqual({
    ...EMPTY,
    rememberName: true,
    rememberPassword: false,
  });
  expect(initialForm(session([true, true]))).toEqual({
    ...EMPTY,
    rememberName: true,
    rememberPassword: true,
  });
  expect(initialForm(session([true, true], [], false)).rememberPassword).toBe(false);
});

test("the most recent account fills the form", () => {
  const lin = ["lin", false] as const;
  expect(initialForm(session([true, true], [lin, ["bo", true]]))).toEqual({
    userName: "lin",
    password: "",
    rememberName: true,
    rememberPassword: false,
  });
});

test("the form stays empty when the user name was not to be remembered", () => {
  expect(initialForm(session([false, false], [["bo", true]]))).toEqual({
    ...EMPTY,
    rememberName: false,
    rememberPassword: false,
  });
});
