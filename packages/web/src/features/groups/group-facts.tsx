import { ChevronRight, Pencil } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import { GROUP_NAME_MAX, REMARK_MAX } from "@parley/protocol/limits";
import { codePoints } from "@parley/protocol/text";
import { chatKey } from "@parley/core/model/rows";
import type { GroupChange } from "@parley/core/runtime/client-api";
import { openDialog } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { EditableFact, Fact, Facts } from "../../ui/facts.tsx";
import { ICON_16 } from "../../ui/icon.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Attributes } from "./attributes.tsx";
import { saved } from "./saved.ts";
import { useMay } from "./use-verdict.ts";
import styles from "./group-detail.module.css";

const REMINDS = ["0", "1", "2"] as const;

/** What stands in a group's page line by line: its card, and what is mine alone. */
export function GroupFacts({ group }: { group: GroupVO }) {
  const t = useText();
  const { chats, groups } = useClient();
  const mayEdit = useMay(group.id, "editInfo");
  const mayRemark = useMay(group.id, "setOwnRemarks");
  const key = chatKey(ChatType.GROUP, group.id);
  const keep = async (part: GroupChange) => (await groups.modify(group.id, part)).ok;
  const words = { saveLabel: t("groups.save"), cancelLabel: t("app.cancel") };
  const tooLong = (text: string, max: number) =>
    codePoints(text) > max ? t("friend.remarkTooLong", { max }) : null;
  return (
    <Facts>
      {mayEdit && (
        <EditableFact
          {...words}
          label={t("groups.name")}
          value={group.name}
          none=""
          editLabel={t("groups.editName")}
          check={(text) => (text === "" ? t("groups.nameRequired") : tooLong(text, GROUP_NAME_MAX))}
          onSave={(name) => keep({ name })}
        />
      )}
      <Fact
        label={t("groups.notice")}
        isFaint={!group.notice}
        words={
          <span className={styles.notice} dir="auto">
            {group.notice || t("groups.noNotice")}
          </span>
        }
      >
        {(mayEdit || group.notice) && (
          <IconButton
            label={t(mayEdit ? "groups.editNotice" : "groups.viewNotice")}
            size={32}
            onClick={() => openDialog({ kind: "groupNotice", groupId: group.id })}
          >
            {mayEdit ? <Pencil {...ICON_16} /> : <ChevronRight {...ICON_16} />}
          </IconButton>
        )}
      </Fact>
      {mayRemark && (
        <>
          <EditableFact
            {...words}
            label={t("groups.myName")}
            value={group.remarkNickName ?? ""}
            none={group.showNickName || t("friend.noRemark")}
            editLabel={t("groups.editMyName")}
            check={(text) => tooLong(text, REMARK_MAX)}
            onSave={(text) => keep({ remarkNickName: text || null })}
          />
          <EditableFact
            {...words}
            label={t("groups.remark")}
            value={group.remarkGroupName ?? ""}
            none={t("groups.remarkHint")}
            editLabel={t("groups.editRemark")}
            check={(text) => tooLong(text, REMARK_MAX)}
            onSave={(text) => keep({ remarkGroupName: text || null })}
          />
        </>
      )}
      <Fact label={t("remind.label")} isBelow>
        {({ labelId }) => (
          <Segmented
            labelId={labelId}
            value={REMINDS.find((one) => one === String(group.msgRemind)) ?? "0"}
            options={REMINDS.map((value) => ({
              value,
              text: t(`groups.remind.${value}`),
              name: t(`remind.${value}`),
            }))}
            onChange={(value) => void saved(chats.setRemind(key, Number(value)))}
          />
        )}
      </Fact>
      <Fact label={t("groups.pin")}>
        {({ labelId }) => (
          <Switch
            labelId={labelId}
            isOn={group.isTop}
            onChange={(isOn) => void saved(chats.setTop(key, isOn))}
          />
        )}
      </Fact>
      <Attributes group={group} />
    </Facts>
  );
}
