import { useId } from "react";
import type { AvatarUpload } from "../../kit/forms/avatar-upload.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { FieldNote } from "../../ui/field.tsx";
import { CameraIcon, PersonIcon } from "../../ui/icons.tsx";
import { Row, Text } from "../../ui/layout.tsx";
import styles from "./avatar-field.module.css";

export interface AvatarFieldProps {
  /** Name for the initials. */
  name: string;
  thumb: string | null;
  error: string | null;
  upload: AvatarUpload;
}

/** The avatar of a new account. The chosen part of a picked file is uploaded at once. */
export function AvatarField({ name, thumb, error, upload }: AvatarFieldProps) {
  const t = useText();
  const client = useClient();
  const noteId = useId();
  return (
    <div className={styles.avatar}>
      <div className={styles.picture}>
        <Avatar
          name={name}
          id={7}
          size={96}
          url={thumb === null ? null : client.fileUrl(thumb)}
          {...(name.trim() === "" && { icon: <PersonIcon size={48} /> })}
        />
        <Row as="span" justify="center" tone="secondary" className={styles.camera}>
          <CameraIcon />
        </Row>
      </div>
      <input
        {...upload.inputProps}
        name="headImage"
        className="visually-hidden"
        aria-label={t("register.avatar")}
        aria-describedby={noteId}
        tabIndex={-1}
        onFocus={(event) => event.currentTarget.nextElementSibling?.querySelector("button")?.focus()}
      />
      <div>
        <Button size="small" isBusy={upload.isBusy} aria-describedby={noteId} onClick={upload.pick}>
          {t(
            upload.isBusy
              ? "register.avatarUploading"
              : thumb === null
                ? "register.chooseAvatar"
                : "register.changeAvatar",
          )}
        </Button>
      </div>
      <Text as="div" textAlign="center" className={styles.note}>
        <FieldNote id={noteId} error={upload.problem ?? error} hint={t("register.avatarHint")} />
      </Text>
      {upload.dialog}
    </div>
  );
}
