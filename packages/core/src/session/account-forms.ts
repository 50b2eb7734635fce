import { Terminal } from "@parley/protocol/codes";
import { modifyPwd, register } from "@parley/protocol/endpoints/account";
import { uploadImage } from "@parley/protocol/endpoints/uploads";
import type { ImageUpload } from "@parley/protocol/entities";
import { type Api, isUnanswered } from "../connection/api.ts";
import type { RegisterForm } from "../model/forms/form-rules.ts";
import type { LoginForm } from "../model/forms/login-rules.ts";
import type { Result } from "../model/state.ts";
import type { FileData, Ports } from "../ports.ts";
import type { LoginAttempts } from "./login-attempts.ts";

/** Registration with its picture, and change of the password. The server may have done either of them although no answer came. */
export interface AccountForms {
  /** Registers, then logs in (spec §4). `loggedIn` false: registered, but the automatic login failed. */
  register(form: RegisterForm): Promise<Result<{ loggedIn: boolean }>>;
  /** Uploads the picture of a new account or of a group. */
  uploadAvatar(file: FileData, name: string): Promise<Result<ImageUpload>>;
  changePassword(oldPassword: string, newPassword: string): Promise<Result<null>>;
}

/** What the account forms need. */
export interface AccountFormsDeps {
  ports: Ports;
  api: Api;
  attempts: LoginAttempts;
  signIn(form: LoginForm): Promise<Result<null>>;
}

/** Creates the account forms. */
export function createAccountForms({ ports, api, attempts, signIn }: AccountFormsDeps): AccountForms {
  /** The user name of a registration, or a password change, that got no answer. */
  let unansweredName: string | null = null;
  let isChangeUnanswered = false;

  return {
    async register(form) {
      const { userName, password } = form;
      const logInWithForm = async () =>
        (await signIn({ userName, password, rememberName: true, rememberPassword: false })).ok;
      if (unansweredName === userName && (await logInWithForm()))
        return { ok: true, value: { loggedIn: true } };
      const attempt = attempts.current();
      const registered = await api.call(register, { body: registerBody(form, ports) });
      unansweredName = !registered.ok && isUnanswered(registered.failure) ? userName : null;
      if (!registered.ok) return registered;
      // If another login has begun during the request, it stays.
      return { ok: true, value: { loggedIn: !attempt.isOver() && (await logInWithForm()) } };
    },
    uploadAvatar: (file, name) => api.call(uploadImage, {}, { files: [{ field: "file", file, name }] }),
    async changePassword(oldPassword, newPassword) {
      const change = (from: string, options = {}) =>
        api.call(modifyPwd, { body: { oldPassword: from, newPassword } }, options);
      if (isChangeUnanswered) {
        const again = await change(newPassword, { silent: true });
        isChangeUnanswered = !again.ok;
        if (again.ok) return again;
      }
      const result = await change(oldPassword);
      isChangeUnanswered = !result.ok && isUnanswered(result.failure);
      return result;
    },
  };
}

function registerBody(form: RegisterForm, ports: Ports) {
  const { os, browser } = ports.environment;
  return {
    terminal: Terminal.WEB,
    userName: form.userName,
    nickName: form.nickName.trim(),
    password: form.password,
    confirmPassword: form.confirmPassword,
    registerDevice: `${os} ${browser}`,
    spreadCode: form.inviteCode.trim() === "" ? null : form.inviteCode.trim(),
    headImage: form.headImage,
    headImageThumb: form.headImageThumb,
  };
}
