import type { RegisterForm } from "@parley/core/model/forms";
import type { Failure, State } from "@parley/core/model/state";

/** What the server asks of who registers, as far as the form knows. */
interface Asks {
  readonly inviteCode: boolean;
  readonly avatar: boolean;
}

export function asksOf(display: State["display"]): Asks {
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

function fieldOf(failure: Failure): Field | undefined {
  return failure.kind === "refused" && failure.key !== null ? FIELD_OF[failure.key] : undefined;
}

/** The field under which a refusal is told; undefined: it belongs to none that is on the screen. */
export function refusedField(failure: Failure, asks: Asks): Field | undefined {
  const field = fieldOf(failure);
  return field === "inviteCode" && !asks.inviteCode ? undefined : field;
}

/** Whether the server asks for what the form does not know it asks for. */
export function isNews(failure: Failure, asks: Asks): boolean {
  const field = fieldOf(failure);
  return (field === "inviteCode" && !asks.inviteCode) || (field === "headImage" && !asks.avatar);
}
