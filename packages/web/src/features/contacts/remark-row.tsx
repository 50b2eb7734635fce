import type { FriendVO } from "@parley/protocol/entities";
import { REMARK_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { EditableKeyValueRow } from "../../ui/key-value-list.tsx";

/** The remark for a friend, edited in place. */
export function RemarkRow({ friend }: { friend: FriendVO }) {
  const t = useText();
  const { contacts } = useClient();
  return (
    <EditableKeyValueRow
      label={t("friend.remark")}
      value={friend.remarkNickName ?? ""}
      emptyText={t("friend.noRemark")}
      editLabel={t("friend.editRemark")}
      saveLabel={t("friend.saveRemark")}
      cancelLabel={t("app.cancel")}
      check={(text) =>
        countCodePoints(text) > REMARK_MAX ? t("friend.remarkTooLong", { max: REMARK_MAX }) : null
      }
      onSave={async (remark) => (await contacts.setRemark(friend.id, remark)).ok}
    />
  );
}
