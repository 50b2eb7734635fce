import { expect, test } from "vitest";
import { firstForm } from "./login-screen.tsx";

type Session = Parameters<typeof firstForm>[0];

const session = (
  [rememberName, rememberPassword]: readonly [boolean, boolean],
  accounts: readonly (readonly [string, boolean])[] = [],
  canRememberPassword = true,
): Session => ({
  savedTicks: () => ({ rememberName, rememberPassword }),
  savedAccounts: () =>
    accounts.map(([userName, hasPassword]) => ({
      userName,
      nickName: "",
      headImageThumb: null,
      hasPassword,
    })),
  canRememberPassword,
});

const none = { userName: "", password: "" };

test("the form begins as it was ticked the last time", () => {
  expect(firstForm(session([false, false]))).toEqual({
    ...none,
    rememberName: false,
    rememberPassword: false,
  });
  expect(firstForm(session([true, false]))).toEqual({ ...none, rememberName: true, rememberPassword: false });
  expect(firstForm(session([true, true]))).toEqual({ ...none, rememberName: true, rememberPassword: true });
  expect(firstForm(session([true, true], [], false)).rememberPassword).toBe(false);
});

test("the newest account fills it, with what is known of that one", () => {
  const lin = ["lin", false] as const;
  expect(firstForm(session([true, true], [lin, ["bo", true]]))).toEqual({
    userName: "lin",
    password: "",
    rememberName: true,
    rememberPassword: false,
  });
});

test("who did not want to be remembered finds nobody else's name", () => {
  expect(firstForm(session([false, false], [["bo", true]]))).toEqual({
    ...none,
    rememberName: false,
    rememberPassword: false,
  });
});
