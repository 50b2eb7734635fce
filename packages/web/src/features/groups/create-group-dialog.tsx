import { useId, useMemo, useRef, useState } from "react";
import { ChatType, type JoinMode } from "@parley/protocol/codes";
import type { ImageUpload } from "@parley/protocol/entities";
import { GROUP_MEMBERS_MAX, GROUP_NAME_MAX } from "@parley/protocol/limits";
import { countCodePoints, isVisible } from "@parley/protocol/text";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { chatPath } from "../../kit/chats/show-message.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { JoinModeChoice } from "../../kit/chats/join-mode-choice.tsx";
import { friendEntries } from "../../kit/people/member-selection.ts";
import { MemberSelector } from "../../kit/people/member-selector.tsx";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { TextField } from "../../ui/field.tsx";
import { Row, Text } from "../../ui/layout.tsx";
import { DialogError, useAction } from "./dialog-action.tsx";
import { PictureButton } from "./picture-button.tsx";
import styles from "./dialogs.module.css";

/** Creates a group: its name, optionally a picture, and friends as members. */
export function CreateGroupDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const contacts = useClientState((state) => state.contacts);
  const me = useClientState((state) => state.me);
  const entries = useMemo(() => friendEntries({ contacts }), [contacts]);
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [wasLeft, setWasLeft] = useState(false);
  const joiningId = useId();
  // Undefined until the client has the settings of the server.
  const defaultMode = useClientState(({ config }) => config?.group.joinMode as JoinMode | undefined);
  const [joinMode, setJoinMode] = useState<JoinMode | null>(null);
  const [picture, setPicture] = useState<ImageUpload | null>(null);
  const { isBusy, hasFailed, run } = useAction();
  const isTooLong = countCodePoints(name.trim()) > GROUP_NAME_MAX;
  const error =
    wasLeft && !isVisible(name)
      ? t("groups.nameRequired")
      : isTooLong
        ? t("friend.remarkTooLong", { max: GROUP_NAME_MAX })
        : undefined;

  const create = (memberIds: readonly number[]) => {
    setWasLeft(true);
    if (!isVisible(name) || isTooLong) {
      field.current?.focus();
      return;
    }
    if (me === null) {
      toasts.error(t("groups.meLoading"));
      return;
    }
    const joining = joinMode !== null && { joinMode };
    const images = picture && { headImage: picture.originUrl, headImageThumb: picture.thumbUrl };
    run(async () => {
      const created = await client.groups.create({ name: name.trim(), memberIds, ...images, ...joining });
      if (created.ok) goDown(chatPath(chatKey(ChatType.GROUP, created.value.id)));
      return created;
    }, onClose);
  };
  return (
    <MemberSelector
      title={t("groups.create")}
      entries={entries}
      isLoading={!contacts.isLoaded}
      maxSize={GROUP_MEMBERS_MAX - 1}
      canBeEmpty
      isBusy={isBusy}
      emptyText={t("friend.empty")}
      confirmLabel={() => t("groups.createConfirm")}
      note={hasFailed ? <DialogError text={t("groups.operationFailed")} /> : t("groups.createHint")}
      onConfirm={create}
      onClose={onClose}
      top={
        <>
          <div className={styles.newGroup} data-unsaved={name !== "" || picture !== null || undefined}>
            <PictureButton
              name={name}
              id={0}
              url={picture?.thumbUrl ?? null}
              size={56}
              onUploaded={setPicture}
            />
            <TextField
              ref={field}
              className={styles.newName}
              label={t("groups.name")}
              value={name}
              autoFocus
              autoComplete="off"
              dir="auto"
              error={error}
              onChange={(event) => setName(event.currentTarget.value)}
              onBlur={(event) => {
                // Moving on to the search with an empty name is not an error yet.
                if (event.currentTarget.value !== "") setWasLeft(true);
              }}
            />
          </div>
          {defaultMode !== undefined && (
            <Row wrap className={styles.joining}>
              <Text id={joiningId} grow>
                {t("groups.joinMode")}
              </Text>
              <JoinModeChoice labelId={joiningId} value={joinMode ?? defaultMode} onChange={setJoinMode} />
              <Text as="p" shrink={false} size={13} tone="tertiary" className={styles.joiningHint}>
                {t(`groups.joinModeHint.${joinMode ?? defaultMode}`)}
              </Text>
            </Row>
          )}
        </>
      }
    />
  );
}
