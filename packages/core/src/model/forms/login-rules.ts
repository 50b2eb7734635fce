/** A file of its own, because the login screen is loaded without the rules of the other forms and their texts. */
import type { FormErrors } from "./form-rules.ts";

/** The fields of the login form. */
export interface LoginForm {
  readonly userName: string;
  readonly password: string;
  readonly rememberName: boolean;
  readonly rememberPassword: boolean;
}

/** Rules of the login form (spec §5). */
export function validateLogin(form: Pick<LoginForm, "userName" | "password">): FormErrors<LoginForm> {
  return {
    ...(form.userName.trim() === "" && { userName: "login.usernameRequired" as const }),
    ...(form.password === "" && { password: "login.passwordRequired" as const }),
  };
}
