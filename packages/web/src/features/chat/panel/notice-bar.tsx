import { Megaphone } from "lucide-react";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { Row, Text } from "../../../ui/layout.tsx";
import styles from "./notice-bar.module.css";

/** The notice of a group in one line, until its current version has been read (interface §1). */
export function NoticeBar({ groupId, onOpen }: { groupId: number; onOpen: () => void }) {
  const t = useText();
  const client = useClient();
  const notice = useClientState((state) => state.groups.byId[groupId]?.notice ?? "");
  return (
    <Row gap={8} shrink={false} className={styles.bar} data-notice>
      <Megaphone {...ICON_PROPS} className={styles.icon} />
      <Text shrink={false} size={13} weight="title">
        {t("groupInfo.notice")}
      </Text>
      <button type="button" className={styles.text} dir="auto" onClick={onOpen}>
        {notice}
      </button>
      <Button
        variant="ghost"
        size="small"
        className={styles.read}
        onClick={() => client.groups.readNotice(groupId)}
      >
        {t("groupInfo.noticeRead")}
      </Button>
    </Row>
  );
}
