import type { RegisterForm } from "@parley/core/model/forms/form-rules";
import type { Failure, State } from "@parley/core/model/state";

/** What the server asks of who registers, as far as the form knows. */
interface RegistrationRequirements {
  readonly inviteCode: boolean;
  readonly avatar: boolean;
}

export function requirementsOf(display: State["display"]): RegistrationRequirements {
  return {
    inviteCode: display?.userRegisterInviteCode ?? false,
    avatar: display?.updateAvatarAfterRegister ?? false,
  };
}

type Field = Extract<keyof RegisterForm, "userName" | "inviteCode" | "headImage">;

/** Refusals that belong to one field. */
const FIELD_OF: Readonly<Record<string, Field>> = {
  "register.userNameTaken": "userName",
  "register.inviteCodeWrong": "inviteCode",
  "register.avatarRequired": "headImage",
};

function knownField(failure: Failure): Field | undefined {
  return failure.kind === "refused" && failure.key !== null ? FIELD_OF[failure.key] : undefined;
}

/** The field under which a refusal is told; undefined: it belongs to none that is on the screen. */
export function failureField(
  failure: Failure,
  registrationRequirements: RegistrationRequirements,
): Field | undefined {
  const field = knownField(failure);
  return field === "inviteCode" && !registrationRequirements.inviteCode ? undefined : field;
}

/** Whether the server asks for what the form does not know it asks for. */
export function revealsNewRequirement(
  failure: Failure,
  registrationRequirements: RegistrationRequirements,
): boolean {
  const field = knownField(failure);
  return (
    (field === "inviteCode" && !registrationRequirements.inviteCode) ||
    (field === "headImage" && !registrationRequirements.avatar)
  );
}
