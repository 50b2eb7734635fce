import type { UserInfo } from "@parley/protocol/entities";
import {
  isProfileChanged,
  profileChanges,
  profileForm,
  validateProfile,
  type ProfileForm,
} from "@parley/core/model/forms/profile-rules";
import type { Failure } from "@parley/core/model/state";
import { useAvatarUpload } from "../../kit/forms/avatar-upload.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { useForm } from "../../kit/forms/use-form.ts";

const FIELD_ORDER = ["nickName", "mobile", "email", "birthday", "signature"] as const;

/** The form of the profile settings: its fields, the upload of the picture, and saving. */
export function useProfileForm(user: UserInfo, onSaved: () => void) {
  const t = useText();
  const { contacts } = useClient();
  const form = useForm<ProfileForm>({
    initial: profileForm(user),
    order: FIELD_ORDER,
    check: (values) => validateProfile(values, new Date().getFullYear()),
    failureField,
  });
  const upload = useAvatarUpload({
    shape: "circle",
    onUploaded: ({ originUrl, thumbUrl }) => form.change({ headImage: originUrl, headImageThumb: thumbUrl }),
  });
  return {
    form,
    upload,
    isChanged: isProfileChanged(form.values, user),
    async save() {
      const result = await form.send(() => contacts.updateProfile(profileChanges(form.values, user)));
      if (result?.ok !== true) return;
      toasts.success(t("profile.saved"));
      onSaved();
    },
  } as const;
}

/** What the components of the dialog share. */
export type Profile = ReturnType<typeof useProfileForm>;

/** The field that a refusal of the server is about. */
function failureField(failure: Failure): keyof ProfileForm | undefined {
  return failure.kind === "refused" && failure.key === "file.notIssued" ? "headImage" : undefined;
}
