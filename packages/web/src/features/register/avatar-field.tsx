import { useId, useRef, useState } from "react";
import type { ImageUpload } from "@parley/protocol/entities";
import { AVATAR_MAX_BYTES } from "@parley/protocol/limits";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { failureText } from "../../kit/failure-text.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { FieldNote } from "../../ui/field.tsx";
import { CameraIcon, PersonIcon } from "../../ui/icons.tsx";
import { AVATAR_ACCEPT, AVATAR_TYPES, checkAvatar } from "../../kit/check-avatar.ts";
import styles from "./avatar-field.module.css";

export interface AvatarFieldProps {
  /** Name for the initials. */
  name: string;
  thumb: string | null;
  error: string | null;
  onChange: (image: ImageUpload) => void;
}

/** The avatar of a new account. A picked file is uploaded at once. */
export function AvatarField({ name, thumb, error, onChange }: AvatarFieldProps) {
  const t = useText();
  const client = useClient();
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const showProblem = (text: string) => {
    setProblem(text);
    toasts.error(text);
  };
  const upload = async (file: File) => {
    setProblem(null);
    const violation = checkAvatar(file);
    if (violation === "type") return showProblem(t("upload.type", { types: AVATAR_TYPES }));
    if (violation === "tooLarge")
      return showProblem(t("upload.tooLarge", { max: `${AVATAR_MAX_BYTES / 1024 / 1024} MB` }));
    setBusy(true);
    const result = await client.session.uploadAvatar(file, file.name);
    setBusy(false);
    if (result.ok) onChange(result.value);
    else showProblem(failureText(result.failure, t));
  };

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
        <span className={styles.camera}>
          <CameraIcon />
        </span>
      </div>
      <input
        ref={input}
        name="headImage"
        type="file"
        className="visually-hidden"
        accept={AVATAR_ACCEPT}
        aria-label={t("register.avatar")}
        aria-describedby={noteId}
        tabIndex={-1}
        onFocus={(event) => event.currentTarget.nextElementSibling?.querySelector("button")?.focus()}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Reset the input so that the same file can be picked again.
          event.currentTarget.value = "";
          if (file !== undefined) void upload(file);
        }}
      />
      <div>
        <Button size="small" isBusy={isBusy} aria-describedby={noteId} onClick={() => input.current?.click()}>
          {t(
            isBusy
              ? "register.avatarUploading"
              : thumb === null
                ? "register.chooseAvatar"
                : "register.changeAvatar",
          )}
        </Button>
      </div>
      <div className={styles.note}>
        <FieldNote id={noteId} error={problem ?? error} hint={t("register.avatarHint")} />
      </div>
    </div>
  );
}
