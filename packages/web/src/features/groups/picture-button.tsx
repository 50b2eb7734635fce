import { UsersRound } from "lucide-react";
import type { ImageUpload } from "@parley/protocol/entities";
import { useAvatarUpload } from "../../kit/forms/avatar-upload.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { CameraIcon } from "../../ui/icons.tsx";
import { Box, Row } from "../../ui/layout.tsx";
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

/** The picture of a group, as a button to replace it; the chosen part of a picked file is uploaded at once. */
export function PictureButton({ name, id, url, size, onUploaded }: PictureButtonProps) {
  const t = useText();
  const client = useClient();
  const upload = useAvatarUpload({ shape: "rounded", onUploaded });
  return (
    <Box shrink={false}>
      <button
        type="button"
        className={styles.button}
        aria-label={t("groups.changePicture")}
        data-tip={t("groups.changePicture")}
        aria-busy={upload.isBusy || undefined}
        aria-disabled={upload.isBusy || undefined}
        onClick={upload.isBusy ? undefined : upload.pick}
      >
        <Avatar
          name={name}
          id={id}
          url={url && client.fileUrl(url)}
          size={size}
          shape="rounded"
          {...(name.trim() === "" && { icon: <UsersRound {...ICON_PROPS_24} /> })}
        />
        <Row as="span" justify="center" tone="secondary" className={styles.camera}>
          {upload.isBusy ? <Spinner size={16} /> : <CameraIcon size={14} />}
        </Row>
      </button>
      <input {...upload.inputProps} hidden aria-label={t("groups.changePicture")} />
      {upload.dialog}
    </Box>
  );
}
