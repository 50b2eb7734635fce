import { useRef, useState } from "react";
import { UsersRound } from "lucide-react";
import type { ImageUpload } from "@parley/protocol/entities";
import { AVATAR_MAX_BYTES } from "@parley/protocol/limits";
import { useText } from "../../kit/i18n.ts";
import { AVATAR_ACCEPT, AVATAR_TYPES, checkAvatar } from "../../kit/check-avatar.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { CameraIcon } from "../../ui/icons.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./picture-button.module.css";

interface PictureButtonProps {
  /** Name for the initials. */
  name: string;
  /** Id that decides the colour. */
  id: number;
  /** Url as the server sends it. */
  url: string | null;
  size: number;
  onUploaded: (image: ImageUpload) => void;
}

/** The picture of a group, as a button to replace it; a picked file is uploaded at once. */
export function PictureButton({ name, id, url, size, onUploaded }: PictureButtonProps) {
  const t = useText();
  const client = useClient();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const upload = async (file: File) => {
    const problem = checkAvatar(file);
    if (problem === "type") return toasts.error(t("upload.type", { types: AVATAR_TYPES }));
    if (problem === "tooLarge")
      return toasts.error(t("upload.tooLarge", { max: `${AVATAR_MAX_BYTES / 1024 / 1024} MB` }));
    setBusy(true);
    const result = await client.session.uploadAvatar(file, file.name);
    setBusy(false);
    if (result.ok) onUploaded(result.value);
  };
  return (
    <div className={styles.picture}>
      <button
        type="button"
        className={styles.button}
        aria-label={t("groups.changePicture")}
        data-tip={t("groups.changePicture")}
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
        onClick={() => {
          if (!isBusy) input.current?.click();
        }}
      >
        <Avatar
          name={name}
          id={id}
          url={url && client.fileUrl(url)}
          size={size}
          shape="rounded"
          {...(name.trim() === "" && { icon: <UsersRound {...ICON_PROPS_24} /> })}
        />
        <span className={styles.camera}>{isBusy ? <Spinner size={16} /> : <CameraIcon size={14} />}</span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={AVATAR_ACCEPT}
        aria-label={t("groups.changePicture")}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Reset the input so that the same file can be picked again.
          event.currentTarget.value = "";
          if (file !== undefined) void upload(file);
        }}
      />
    </div>
  );
}
