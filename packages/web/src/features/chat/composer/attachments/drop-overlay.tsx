import { File, Image } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../../ui/layout.tsx";
import type { DropZone } from "./pick-files.ts";
import styles from "./drop-overlay.module.css";

/** Lies over the conversation while files are dragged, with a zone for each way to send them. `over`: the zone under the drag. */
export function DropOverlay({ over }: { over: DropZone | "none" }) {
  const t = useText();
  const zone = (kind: DropZone, icon: ReactNode, title: string, hint: string) => (
    <Stack
      shrink
      align="center"
      justify="center"
      gap={4}
      padding={16}
      tone="secondary"
      textAlign="center"
      className={styles.zone}
      data-drop-zone={kind}
      data-over={over === kind}
    >
      {icon}
      <Text as="strong" size={16} weight="title" className={styles.title}>
        {title}
      </Text>
      <Text size={13}>{hint}</Text>
    </Stack>
  );
  return (
    <Row align="stretch" gap={16} padding={24} className={styles.overlay} data-drop-zone="picture">
      {zone("picture", <Image {...ICON_PROPS_24} />, t("attach.dropPicture"), t("attach.dropPictureHint"))}
      {zone("file", <File {...ICON_PROPS_24} />, t("attach.dropFile"), t("attach.dropFileHint"))}
    </Row>
  );
}
