import { normalizePassword, passwordLength } from "@parley/protocol/password";
import { countCodePoints, isVisible } from "@parley/protocol/text";
import { isUserName } from "@parley/protocol/fields";
import { NICK_NAME_MAX, PASSWORD_MAX, PASSWORD_MIN, USER_NAME_MAX } from "@parley/protocol/limits";

/** The fields of the registration form. */
export interface RegisterForm {
  readonly userName: string;
  readonly nickName: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly inviteCode: string;
  readonly headImage: string | null;
  readonly headImageThumb: string | null;
}

/** The text key of the error of each field; valid fields have none. */
export type FormErrors<Form> = Partial<Record<keyof Form, FormErrorKey>>;

/** Text keys of errors in the login, registration, password and profile forms. */
export type FormErrorKey =
  | "login.usernameRequired"
  | "login.passwordRequired"
  | "register.usernameRequired"
  | "register.usernameFormat"
  | "register.usernameTooLong"
  | "register.nicknameRequired"
  | "register.nicknameTooLong"
  | "register.passwordRequired"
  | "register.passwordLength"
  | "register.confirmRequired"
  | "register.confirmMismatch"
  | "register.inviteCodeRequired"
  | "register.avatarRequired"
  | "settings.oldPasswordRequired"
  | "profile.mobileInvalid"
  | "profile.emailInvalid"
  | "profile.signatureTooLong"
  | "profile.birthdayIncomplete"
  | "profile.birthdayInvalid";

/** Rules of the registration form (spec §5). `required` comes from the server's display settings. */
export function validateRegistration(
  form: RegisterForm,
  required: { inviteCode: boolean; avatar: boolean },
): FormErrors<RegisterForm> {
  const errors: FormErrors<RegisterForm> = {};
  if (form.userName === "") errors.userName = "register.usernameRequired";
  else if (!isUserName(form.userName)) errors.userName = "register.usernameFormat";
  else if (form.userName.length > USER_NAME_MAX) errors.userName = "register.usernameTooLong";
  if (!isVisible(form.nickName)) errors.nickName = "register.nicknameRequired";
  else if (countCodePoints(form.nickName) > NICK_NAME_MAX) errors.nickName = "register.nicknameTooLong";
  Object.assign(errors, newPasswordErrors(form.password, form.confirmPassword));
  if (required.inviteCode && !isVisible(form.inviteCode)) errors.inviteCode = "register.inviteCodeRequired";
  if (required.avatar && form.headImage === null) errors.headImage = "register.avatarRequired";
  return errors;
}

/** The fields of the form that changes one's own password. */
export interface PasswordChangeForm {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

/** Rules of the password form. The new password follows the rules of registration; only the server can check the old one. */
export function validatePasswordChange(form: PasswordChangeForm): FormErrors<PasswordChangeForm> {
  const { newPassword: password, confirmPassword } = form;
  const errors = newPasswordErrors(password, confirmPassword);
  return {
    ...(form.oldPassword === "" && { oldPassword: "settings.oldPasswordRequired" as const }),
    ...(errors.password && { newPassword: errors.password }),
    ...(errors.confirmPassword && { confirmPassword: errors.confirmPassword }),
  };
}

function newPasswordErrors(
  password: string,
  confirmPassword: string,
): Pick<FormErrors<RegisterForm>, "password" | "confirmPassword"> {
  const errors: FormErrors<RegisterForm> = {};
  const length = passwordLength(password);
  if (length === 0) errors.password = "register.passwordRequired";
  else if (length < PASSWORD_MIN || length > PASSWORD_MAX) errors.password = "register.passwordLength";
  if (confirmPassword === "") errors.confirmPassword = "register.confirmRequired";
  else if (normalizePassword(confirmPassword) !== normalizePassword(password))
    errors.confirmPassword = "register.confirmMismatch";
  return errors;
}
