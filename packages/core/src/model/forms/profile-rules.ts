import type { UserInfo } from "@parley/protocol/entities";
import { daysInMonth, isBirthday, isEmail, isMobileNumber } from "@parley/protocol/fields";
import { BIRTHDAY_FIRST_YEAR, EMAIL_MAX, NICK_NAME_MAX, SIGNATURE_MAX } from "@parley/protocol/limits";
import { countCodePoints, isVisible } from "@parley/protocol/text";
import type { FormErrors } from "./form-rules.ts";

/** A birthday that is being chosen from three lists; null for what is not chosen. `month` is 1 to 12. */
export interface Birthday {
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
}

/** The fields of the profile dialog; empty text for fields that are not given. */
export interface ProfileForm {
  readonly nickName: string;
  /** 0 male, 1 female (spec §3). */
  readonly sex: 0 | 1 | null;
  readonly signature: string;
  readonly mobile: string;
  readonly email: string;
  readonly birthday: Birthday;
  readonly headImage: string | null;
  readonly headImageThumb: string | null;
}

/** Changed fields of one's own profile; fields that are left out stay. */
export type ProfileChanges = Partial<
  Pick<
    UserInfo,
    "nickName" | "signature" | "mobile" | "email" | "birthday" | "headImage" | "headImageThumb"
  > & {
    sex: ProfileForm["sex"];
  }
>;

const NO_BIRTHDAY: Birthday = { year: null, month: null, day: null };
const MONTHS_PER_YEAR = 12;
const LONGEST_MONTH = 31;

/** The profile as the form shows it at first. */
export function profileForm(user: UserInfo): ProfileForm {
  return {
    nickName: user.nickName,
    sex: user.sex === 0 || user.sex === 1 ? user.sex : null,
    signature: user.signature ?? "",
    mobile: user.mobile ?? "",
    email: user.email ?? "",
    birthday: parseBirthday(user.birthday),
    headImage: user.headImage,
    headImageThumb: user.headImageThumb,
  };
}

function parseBirthday(text: string | null): Birthday {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "");
  if (match === null) return NO_BIRTHDAY;
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
}

/** YYYY-MM-DD; null if nothing or not everything is chosen. */
function birthdayText({ year, month, day }: Birthday): string | null {
  if (year === null || month === null || day === null) return null;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The years of the list: from the current one back to 1950 (spec §9). */
export function birthdayYears(currentYear: number): readonly number[] {
  return Array.from({ length: currentYear - BIRTHDAY_FIRST_YEAR + 1 }, (_, index) => currentYear - index);
}

/** The months of the list. */
export const BIRTHDAY_MONTHS: readonly number[] = numbersUpTo(MONTHS_PER_YEAR);

/** The days of the list: those of the chosen month. Without a year, February has 29 days. */
export function birthdayDays({ year, month }: Birthday): readonly number[] {
  // Any leap year stands for an unknown one.
  return numbersUpTo(month === null ? LONGEST_MONTH : daysInMonth(year ?? 2000, month));
}

function numbersUpTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** The birthday after a choice in one of its lists. A day that the month does not have is cleared (spec §5). */
export function changeBirthday(birthday: Birthday, part: Partial<Birthday>): Birthday {
  const changed = { ...birthday, ...part };
  return changed.day !== null && changed.day > birthdayDays(changed).length
    ? { ...changed, day: null }
    : changed;
}

/** Rules of the profile (spec §5). */
export function validateProfile(form: ProfileForm, currentYear: number): FormErrors<ProfileForm> {
  const errors: FormErrors<ProfileForm> = {};
  if (!isVisible(form.nickName)) errors.nickName = "register.nicknameRequired";
  else if (countCodePoints(form.nickName.trim()) > NICK_NAME_MAX)
    errors.nickName = "register.nicknameTooLong";
  const mobile = form.mobile.trim();
  if (mobile !== "" && !isMobileNumber(mobile)) errors.mobile = "profile.mobileInvalid";
  const email = form.email.trim();
  const isEmailValid = isEmail(email) && countCodePoints(email) <= EMAIL_MAX;
  if (email !== "" && !isEmailValid) errors.email = "profile.emailInvalid";
  if (countCodePoints(form.signature.trim()) > SIGNATURE_MAX) errors.signature = "profile.signatureTooLong";
  const birthday = birthdayText(form.birthday);
  const isBirthdayEmpty = Object.values(form.birthday).every((part) => part === null);
  if (birthday === null && !isBirthdayEmpty) errors.birthday = "profile.birthdayIncomplete";
  else if (birthday !== null && !isBirthday(birthday, currentYear))
    errors.birthday = "profile.birthdayInvalid";
  return errors;
}

/** The fields in which the form differs from the profile, as the server takes them; null for emptied ones. */
export function profileChanges(form: ProfileForm, user: UserInfo): ProfileChanges {
  const before = profileForm(user);
  const changes: ProfileChanges = {};
  const nickName = form.nickName.trim();
  if (nickName !== before.nickName) changes.nickName = nickName;
  if (form.sex !== before.sex) changes.sex = form.sex;
  const signature = form.signature.trim();
  // Blanks around it that the server has stored earlier are no change.
  if (signature !== before.signature.trim()) changes.signature = signature;
  for (const field of ["mobile", "email"] as const) {
    const value = form[field].trim();
    if (value !== before[field]) changes[field] = value === "" ? null : value;
  }
  const birthday = birthdayText(form.birthday);
  if (birthday !== birthdayText(before.birthday)) changes.birthday = birthday;
  if (form.headImage !== before.headImage) changes.headImage = form.headImage;
  if (form.headImageThumb !== before.headImageThumb) changes.headImageThumb = form.headImageThumb;
  return changes;
}

/** Whether closing the form would lose something. An incomplete birthday counts, although it cannot be saved. */
export function isProfileChanged(form: ProfileForm, user: UserInfo): boolean {
  const { year, month, day } = profileForm(user).birthday;
  const { birthday } = form;
  const isBirthdayTouched = birthday.year !== year || birthday.month !== month || birthday.day !== day;
  return isBirthdayTouched || Object.keys(profileChanges(form, user)).length > 0;
}
