import { useText } from "../../../kit/i18n.ts";
import type { OpenPicture } from "../../../kit/open-picture.ts";
import { downloadUrl } from "../../../kit/download-url.ts";
import { Viewer } from "./viewer.tsx";
import styles from "./viewer.module.css";

/** A single picture over the page, such as the one of a person. */
export function PictureViewer({ picture, onClose }: { picture: OpenPicture; onClose: () => void }) {
  const t = useText();
  const { url, thumbUrl, name } = picture;
  const extension = /\.\w+$/.exec(url)?.[0] ?? "";
  const item = {
    key: url,
    kind: "picture",
    url,
    thumbUrl,
    placeholder: null,
    width: 0,
    height: 0,
    label: t("viewer.pictureOf", { name }),
    download: { url: downloadUrl(url, `${name}${extension}`), fileName: `${name}${extension}` },
  } as const;
  return (
    <Viewer
      items={[item]}
      startKey={url}
      renderCaption={() => (
        <div className={styles.name}>
          <bdi>{name}</bdi>
        </div>
      )}
      onClose={onClose}
    />
  );
}
