import type { RegisterForm } from "@parley/core/model/forms/form-rules";
import type { Failure, State } from "@parley/core/model/state";

/** Optional fields that the server requires for a registration, as far as the client knows. */
interface RegistrationRequirements {
  readonly inviteCode: boolean;
  readonly avatar: boolean;
}

/** The requirements in the display settings of the server. */
export function requirementsOf(display: State["display"]): RegistrationRequirements {
  return {
    inviteCode: display?.userRegisterInviteCode ?? false,
    avatar: display?.updateAvatarAfterRegister ?? false,
  };
}

type Field = Extract<keyof RegisterForm, "userName" | "inviteCode" | "headImage">;

/** The field to which an error key belongs. */
const FIELD_OF: Readonly<Record<string, Field>> = {
  "register.userNameTaken": "userName",
  "register.inviteCodeWrong": "inviteCode",
  "register.avatarRequired": "headImage",
  "file.notIssued": "headImage",
};

function fieldOf(failure: Failure): Field | undefined {
  return failure.kind === "refused" && failure.key !== null ? FIELD_OF[failure.key] : undefined;
}

/** The field below which an error is shown; undefined if it does not belong to a visible field. */
export function failureField(failure: Failure, requirements: RegistrationRequirements): Field | undefined {
  const field = fieldOf(failure);
  return field === "inviteCode" && !requirements.inviteCode ? undefined : field;
}

/** Whether an error shows that the server requires a field of which the form does not know that it is required. */
export function revealsNewRequirement(failure: Failure, requirements: RegistrationRequirements): boolean {
  if (failure.kind !== "refused") return false;
  return (
    (failure.key === "register.inviteCodeWrong" && !requirements.inviteCode) ||
    (failure.key === "register.avatarRequired" && !requirements.avatar)
  );
}
