import { Pencil } from "lucide-react";
import type { GroupVO } from "@parley/protocol/entities";
import { useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { KeyValueRow } from "../../ui/key-value-list.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { AttributesDialog } from "./attributes-dialog.tsx";
import { useGroupPermission } from "./use-group-permission.ts";
import styles from "./group-detail.module.css";

/** The attributes of a group: names and values that its members write down. */
export function GroupAttributes({ group }: { group: GroupVO }) {
  const t = useText();
  const canEdit = useGroupPermission(group.id, "editAttributes");
  const [isEditing, setEditing] = useState(false);
  const pairs = Object.entries(group.attributes);
  if (pairs.length === 0 && !canEdit) return null;
  return (
    <>
      <KeyValueRow
        label={t("groups.attributes")}
        isMuted={pairs.length === 0}
        text={
          pairs.length === 0 ? (
            t("friend.noRemark")
          ) : (
            <ul>
              {pairs.map(([key, value]) => (
                <li key={key} className={styles.attribute}>
                  <bdi className={styles.attributeName}>{key}</bdi>
                  <bdi>{value}</bdi>
                </li>
              ))}
            </ul>
          )
        }
      >
        {canEdit && (
          <IconButton label={t("groups.editAttributes")} size={32} onClick={() => setEditing(true)}>
            <Pencil {...ICON_PROPS_16} />
          </IconButton>
        )}
      </KeyValueRow>
      {isEditing && <AttributesDialog group={group} onClose={() => setEditing(false)} />}
    </>
  );
}
