import { useState } from "react";
import { FindableBy } from "@parley/protocol/codes";
import type { Result } from "@parley/core/model/state";
import { useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { usePerson } from "../../kit/people/person.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useUserSetting } from "../../kit/settings/user-settings.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { InlineSelect } from "../../ui/inline-select.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { Switch } from "../../ui/switch.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings.module.css";

/** Privacy settings: who finds me, who learns when I was here and what I have read, who sees that I type, the blocked people, and a link to the spec's "other settings", which decide who may become a friend. */
export function Privacy() {
  const t = useText();
  return (
    <>
      <SettingRow label={t("settings.approve")} hint={t("settings.approveWhere")}>
        {() => (
          <Button size="small" onClick={() => openDialog({ kind: "otherSettings" })}>
            {t("menu.otherSettings")}
          </Button>
        )}
      </SettingRow>
      <WhoFindsMe />
      <LastSeenShown />
      <ReadReceipts />
      <TypingShown />
      <BlockedUsers />
    </>
  );
}

const CHOICES = [FindableBy.ANY_NAME, FindableBy.USER_NAME, FindableBy.NOTHING] as const;

/** By what the search for people finds me. Not shown until the client has my data. */
function WhoFindsMe() {
  const t = useText();
  const { contacts } = useClient();
  const saved = useClientState((state) => state.me?.findableBy);
  const [pending, setPending] = useState<FindableBy | null>(null);
  if (saved == null) return null;
  const value = CHOICES.find((choice) => choice === (pending ?? saved)) ?? FindableBy.ANY_NAME;
  const change = async (by: FindableBy) => {
    setPending(by);
    const result = await contacts.setFindableBy(by);
    setPending(null);
    if (!result.ok) toasts.error(t("settings.saveFailed"));
  };
  return (
    <SettingRow label={t("settings.findable")} hint={t(`settings.findableHint.${value}`)}>
      {() => (
        <InlineSelect
          label={t("settings.findable")}
          value={String(value)}
          options={CHOICES.map((choice) => ({
            value: String(choice),
            text: t(`settings.findable.${choice}`),
          }))}
          onChange={(text) => {
            const by = CHOICES.find((choice) => String(choice) === text);
            if (by !== undefined) void change(by);
          }}
        />
      )}
    </SettingRow>
  );
}

interface AccountSwitchProps {
  /** Null or absent: not known yet, or a server of a version before does not have it. Then there is no switch. */
  saved: boolean | null | undefined;
  save: (isOn: boolean) => Promise<Result<null>>;
  label: string;
  hint: string;
}

/** A switch of the account, which is the same on all devices. If the server refuses a change, it goes back. */
function AccountSwitch({ saved, save, label, hint }: AccountSwitchProps) {
  const t = useText();
  const [pending, setPending] = useState<boolean | null>(null);
  if (saved == null) return null;
  const change = async (isOn: boolean) => {
    setPending(isOn);
    const result = await save(isOn);
    setPending(null);
    if (!result.ok) toasts.error(t("settings.saveFailed"));
  };
  return (
    <SettingRow label={label} hint={hint}>
      {(ids) => <Switch {...ids} isOn={pending ?? saved} onChange={(isOn) => void change(isOn)} />}
    </SettingRow>
  );
}

/** Whether the people of private chats learn what I have read, and I what they have. */
function ReadReceipts() {
  const t = useText();
  const { contacts } = useClient();
  return (
    <AccountSwitch
      saved={useClientState((state) => state.me?.readReceipts)}
      save={contacts.setReadReceipts}
      label={t("settings.readReceipts")}
      hint={t("settings.readReceiptsHint")}
    />
  );
}

/** Whether friends learn when I was last seen, and I when they were. */
function LastSeenShown() {
  const t = useText();
  const { contacts } = useClient();
  return (
    <AccountSwitch
      saved={useClientState((state) => state.me?.lastSeenShown)}
      save={contacts.setLastSeenShown}
      label={t("settings.lastSeenShown")}
      hint={t("settings.lastSeenShownHint")}
    />
  );
}

/** Whether others see that I type. */
function TypingShown() {
  const t = useText();
  const [typing, setTyping] = useUserSetting("typing");
  return (
    <SettingRow label={t("settings.typing")} hint={t("settings.typingHint")}>
      {(ids) => <Switch {...ids} isOn={typing === "on"} onChange={(on) => setTyping(on ? "on" : "off")} />}
    </SettingRow>
  );
}

/** The people whom I have blocked. */
function BlockedUsers() {
  const t = useText();
  const blacklist = useClientState((state) => state.contacts.blacklist);
  return (
    <section className={styles.block} aria-label={t("settings.blocked")}>
      <h2 className={styles.heading}>{t("settings.blocked")}</h2>
      <p className={styles.note}>
        {t(blacklist.length === 0 ? "settings.blockedNone" : "settings.blockedHint")}
      </p>
      <Stack as="ul">
        {blacklist.map((id) => (
          <BlockedUser key={id} id={id} />
        ))}
      </Stack>
    </section>
  );
}

function BlockedUser({ id }: { id: number }) {
  const t = useText();
  const client = useClient();
  const person = usePerson(id);
  const [isBusy, setBusy] = useState(false);
  const unblock = async () => {
    setBusy(true);
    await client.contacts.unblock(id);
    setBusy(false);
  };
  return (
    <Row as="li" wrap paddingY={8} className={styles.item}>
      <Avatar name={person.name} url={person.picture} id={id} size={36} />
      <span className={styles.itemWords}>
        <bdi className={styles.itemName}>{person.name}</bdi>
      </span>
      <Button
        size="small"
        isBusy={isBusy}
        aria-label={t("block.unblockName", { name: person.name })}
        onClick={() => void unblock()}
      >
        {t("block.unblock")}
      </Button>
    </Row>
  );
}
