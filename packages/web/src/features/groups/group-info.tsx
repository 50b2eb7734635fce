import { useState } from "react";
import { ChevronRight, Pencil } from "lucide-react";
import type { GroupEdit } from "@parley/core/groups/group-actions";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { Result } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import { GROUP_NAME_MAX, REMARK_MAX } from "@parley/protocol/limits";
import { countCodePoints, isVisible } from "@parley/protocol/text";
import { ALERT_LEVELS } from "../../kit/chats/group.ts";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { currentText, useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { EditableKeyValueRow, KeyValueList, KeyValueRow } from "../../ui/key-value-list.tsx";
import { Row } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Switch } from "../../ui/switch.tsx";
import { AttributesDialog } from "./attributes-dialog.tsx";
import { useGroupPermission } from "./use-group-membership.ts";
import styles from "./group-detail.module.css";

/** The lines of a group's page: name, notice, and my own settings for the group. */
export function GroupInfo({ group }: { group: GroupVO }) {
  const t = useText();
  const { chats, groups } = useClient();
  const canEdit = useGroupPermission(group.id, "editInfo");
  const canSetRemarks = useGroupPermission(group.id, "setOwnRemarks");
  const key = chatKey(ChatType.GROUP, group.id);
  const save = async (part: GroupEdit) => (await groups.modify(group.id, part)).ok;
  const labels = { saveLabel: t("groups.save"), cancelLabel: t("app.cancel") };
  const checkLength = (text: string, max: number) =>
    countCodePoints(text) > max ? t("friend.remarkTooLong", { max }) : null;
  return (
    <KeyValueList>
      {canEdit && (
        <EditableKeyValueRow
          {...labels}
          label={t("groups.name")}
          value={group.name}
          emptyText=""
          editLabel={t("groups.editName")}
          check={(text) => (!isVisible(text) ? t("groups.nameRequired") : checkLength(text, GROUP_NAME_MAX))}
          onSave={(name) => save({ name })}
        />
      )}
      <KeyValueRow
        label={t("groups.notice")}
        isMuted={!group.notice}
        text={
          <span className={styles.notice} dir="auto">
            {group.notice || t("groups.noNotice")}
          </span>
        }
      >
        {(canEdit || group.notice) && (
          <IconButton
            label={t(canEdit ? "groups.editNotice" : "groups.viewNotice")}
            size={32}
            onClick={() => openDialog({ kind: "groupNotice", groupId: group.id })}
          >
            {canEdit ? <Pencil {...ICON_PROPS_16} /> : <ChevronRight {...ICON_PROPS_16} />}
          </IconButton>
        )}
      </KeyValueRow>
      {canSetRemarks && (
        <>
          <EditableKeyValueRow
            {...labels}
            label={t("groups.myName")}
            value={group.remarkNickName ?? ""}
            emptyText={group.showNickName || t("friend.noRemark")}
            editLabel={t("groups.editMyName")}
            check={(text) => checkLength(text, REMARK_MAX)}
            onSave={(text) => save({ remarkNickName: text || null })}
          />
          <EditableKeyValueRow
            {...labels}
            label={t("groups.remark")}
            value={group.remarkGroupName ?? ""}
            emptyText={t("groups.remarkHint")}
            editLabel={t("groups.editRemark")}
            check={(text) => checkLength(text, REMARK_MAX)}
            onSave={(text) => save({ remarkGroupName: text || null })}
          />
        </>
      )}
      <KeyValueRow label={t("remind.label")} isBelow>
        {({ labelId }) => (
          <Segmented
            labelId={labelId}
            value={String(group.msgRemind)}
            options={ALERT_LEVELS.map((value) => ({ value: String(value), text: t(`remind.${value}`) }))}
            onChange={(value) => void toastSaveFailure(chats.setAlerts(key, Number(value)))}
          />
        )}
      </KeyValueRow>
      <KeyValueRow label={t("groups.pin")}>
        {({ labelId }) => (
          <Switch
            labelId={labelId}
            isOn={group.isTop}
            onChange={(isOn) => void toastSaveFailure(chats.setTop(key, isOn))}
          />
        )}
      </KeyValueRow>
      <GroupAttributes group={group} />
    </KeyValueList>
  );
}

/** Shows a toast if a setting could not be saved (spec §8), with the server's reason if there is one. */
async function toastSaveFailure(change: Promise<Result<null>>): Promise<void> {
  const result = await change;
  if (result.ok) return;
  const t = currentText();
  const hasReason = result.failure.kind === "refused" && result.failure.key !== null;
  toasts.error(hasReason ? failureText(result.failure, t) : t("groups.saveFailed"));
}

/** The attributes of a group: names and values that its members write down. */
function GroupAttributes({ group }: { group: GroupVO }) {
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
                <Row as="li" key={key} gap={12} align="stretch" paddingY={2} className={styles.attribute}>
                  <bdi className={styles.attributeName}>{key}</bdi>
                  <bdi>{value}</bdi>
                </Row>
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
