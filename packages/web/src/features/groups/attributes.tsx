import { Pencil } from "lucide-react";
import type { GroupVO } from "@parley/protocol/entities";
import { useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { Fact } from "../../ui/facts.tsx";
import { ICON_16 } from "../../ui/icon.ts";
import { AttributesDialog } from "./attributes-dialog.tsx";
import { useMay } from "./use-verdict.ts";
import styles from "./group-detail.module.css";

/** What the members have agreed to note about their group, as names and values. */
export function Attributes({ group }: { group: GroupVO }) {
  const t = useText();
  const mayEdit = useMay(group.id, "editAttributes");
  const [isEditing, setEditing] = useState(false);
  const pairs = Object.entries(group.attributes);
  if (pairs.length === 0 && !mayEdit) return null;
  return (
    <>
      <Fact
        label={t("groups.attributes")}
        isFaint={pairs.length === 0}
        words={
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
        {mayEdit && (
          <IconButton label={t("groups.editAttributes")} size={32} onClick={() => setEditing(true)}>
            <Pencil {...ICON_16} />
          </IconButton>
        )}
      </Fact>
      {isEditing && <AttributesDialog group={group} onClose={() => setEditing(false)} />}
    </>
  );
}
