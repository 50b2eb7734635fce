import { useEffect, useState } from "react";
import type { UserInfo } from "@parley/protocol/entities";
import { useDiscardQuestion } from "../../kit/dialogs/discard-question.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FailureText } from "../../ui/failure-text.tsx";
import { AlertIcon } from "../../ui/icons.tsx";
import { ProfileFields } from "./profile-fields.tsx";
import { useProfileForm } from "./use-profile-form.ts";
import styles from "./profile-dialog.module.css";

const WIDTH_PX = 560;

/** The profile settings (spec §2): one's own nickname, picture and the rest. */
export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  // A change on another device must not change the form while the person edits it.
  const [user] = useState(useClientState((state) => state.me));
  useEffect(() => {
    if (user !== null) return;
    toasts.error(t("groups.meLoading"));
    onClose();
  }, [user, onClose, t]);
  return user === null ? null : <OpenProfile user={user} onClose={onClose} />;
}

function OpenProfile({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const t = useText();
  const profile = useProfileForm(user, onClose);
  const { form, upload, isChanged } = profile;
  const { close, question } = useDiscardQuestion(isChanged, onClose);
  return (
    <Dialog
      isOpen
      title={t("profile.title")}
      width={WIDTH_PX}
      onClose={close}
      onSubmit={() => void profile.save()}
      footer={
        <>
          {form.problem !== null && (
            <FailureText className={styles.problem} text={form.problem}>
              <AlertIcon size={14} />
              <span>{form.problem}</span>
            </FailureText>
          )}
          <Button onClick={close}>{t("app.cancel")}</Button>
          <Button
            type="submit"
            variant="primary"
            isBusy={form.isSending}
            disabled={!isChanged || upload.isBusy}
          >
            {t("profile.save")}
          </Button>
        </>
      }
    >
      <ProfileFields user={user} profile={profile} />
      {upload.dialog}
      {question}
    </Dialog>
  );
}
