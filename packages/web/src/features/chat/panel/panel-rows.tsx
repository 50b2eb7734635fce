import { useId, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { Check, ChevronRight, Search, X } from "lucide-react";
import { REMARK_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { TextField } from "../../../ui/field.tsx";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { useChatCommands } from "../list/chat-commands.tsx";
import type { PanelPart } from "./panel-frame.tsx";
import styles from "./panel.module.css";

interface SwitchRowProps {
  label: string;
  isOn: boolean;
  /** Until when it is on; null: for good. */
  until: string | null;
  onChange: () => void;
}

/** A setting with a switch. */
function SwitchRow({ label, isOn, until, onChange }: SwitchRowProps) {
  const id = useId();
  const untilId = `${id}-until`;
  return (
    <div className={styles.row}>
      <RowLabel id={id} until={until} untilId={untilId}>
        {label}
      </RowLabel>
      <Row as="span" justify="end" gap={4} grow tone="secondary">
        <Switch labelId={id} {...(until !== null && { hintId: untilId })} isOn={isOn} onChange={onChange} />
      </Row>
    </div>
  );
}

interface RowLabelProps {
  id?: string;
  /** When the setting changes back by itself, as a text; null: it does not. */
  until: string | null;
  untilId?: string;
  children: ReactNode;
}

/** The name of a setting, and below it until when it is so. */
export function RowLabel({ id, until, untilId, children }: RowLabelProps) {
  const t = useText();
  return (
    <Stack as="span">
      <span id={id}>{children}</span>
      {until !== null && (
        <Text as="span" id={untilId} size={12} tone="secondary">
          {t("remind.until", { time: until })}
        </Text>
      )}
    </Stack>
  );
}

/** The commands of a chat that are switches. The last one is that which the menu has first. */
export function ChatSwitches({ chatKey }: { chatKey: ChatKey }) {
  const t = useText();
  const { chats } = useClient();
  const offered = useChatCommands(chatKey);
  if (offered === null) return null;
  const { chat, commands } = offered;
  return commands.toReversed().map((command) => {
    if (!("run" in command) || command.panelSwitch === undefined) return null;
    const { text, isOn, until } = command.panelSwitch;
    return (
      <SwitchRow
        key={command.id}
        label={t(text)}
        isOn={isOn(chat)}
        until={until?.(chat) ?? null}
        onChange={() => command.run(chats, chat)}
      />
    );
  });
}

interface ActionRowProps {
  onPress: () => void;
  children: ReactNode;
}

/** A row that opens another page. */
export function ActionRow({ onPress, children }: ActionRowProps) {
  return (
    <button type="button" className={classNames(styles.row, styles.link)} onClick={onPress}>
      {children}
      <ChevronRight {...ICON_PROPS_16} />
    </button>
  );
}

/** A row that opens the search in this conversation. */
export function SearchRow({ onSearch }: { onSearch: () => void }) {
  const t = useText();
  return (
    <button type="button" className={classNames(styles.row, styles.link)} onClick={onSearch}>
      {t("find.title")}
      <Search {...ICON_PROPS_16} />
    </button>
  );
}

/** The rows that open a part of the chat in place of the panel. */
export function PartRows({ onPart }: { onPart: (part: PanelPart) => void }) {
  const t = useText();
  return (
    <>
      <ActionRow onPress={() => onPart("pins")}>{t("pin.title")}</ActionRow>
      <ActionRow onPress={() => onPart("media")}>{t("media.title")}</ActionRow>
    </>
  );
}

interface NameRowProps {
  label: string;
  /** The name that is displayed while it is not being edited. */
  shown: string;
  /** The name that is edited; empty if none is set. */
  value: string;
  placeholder: string;
  /** Resolves to whether the name was saved. */
  onSave: (name: string) => Promise<boolean>;
}

/** A name that I can edit in place: Enter saves, Esc cancels. Then the row has the focus, unless it has gone elsewhere. */
export function NameRow(props: NameRowProps) {
  const [isEditing, setEditing] = useState(false);
  const [takesFocus, setTakesFocus] = useState(false);
  const end = (hadFocus: boolean) => {
    setTakesFocus(hadFocus);
    setEditing(false);
  };
  if (isEditing) return <NameForm {...props} onDone={end} />;
  return (
    <button type="button" className={styles.row} autoFocus={takesFocus} onClick={() => setEditing(true)}>
      <Text shrink={false}>{props.label}</Text>
      <Row as="span" justify="end" gap={4} grow tone="secondary">
        <Text as="bdi" truncate>
          {props.shown}
        </Text>
        <ChevronRight {...ICON_PROPS_16} />
      </Row>
    </button>
  );
}

/** `onDone` hears whether the focus was in the form, or nowhere. */
function NameForm(props: NameRowProps & { onDone: (hadFocus: boolean) => void }) {
  const { label, value, placeholder, onSave, onDone } = props;
  const t = useText();
  const ime = useImeGuard();
  const [name, setName] = useState(value);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isTooLong = countCodePoints(name.trim()) > REMARK_MAX;
  // Without the form, editing was cancelled before the answer, and perhaps begun anew.
  const done = () => {
    const { activeElement, body } = document;
    if (form.current !== null) onDone(activeElement === body || form.current.contains(activeElement));
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isTooLong || isBusy) return;
    if (name.trim() === value) return done();
    setBusy(true);
    const isSaved = await onSave(name.trim());
    setBusy(false);
    if (isSaved) done();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    if (ime.isComposing(event)) return event.key === "Enter" ? event.preventDefault() : undefined;
    if (event.key !== "Escape") return;
    event.preventDefault();
    done();
  };
  return (
    <form ref={form} className={styles.nameForm} onSubmit={(event) => void save(event)}>
      <TextField
        label={label}
        className={styles.nameField}
        value={name}
        placeholder={placeholder}
        autoFocus
        readOnly={isBusy}
        autoComplete="off"
        dir="auto"
        error={isTooLong ? t("groupInfo.nameTooLong", { max: REMARK_MAX }) : null}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        {...ime.handlers}
      />
      <IconButton label={t("groupInfo.save")} type="submit" size={36} disabled={isTooLong || isBusy}>
        <Check {...ICON_PROPS_16} />
      </IconButton>
      <IconButton label={t("app.cancel")} size={36} onClick={done}>
        <X {...ICON_PROPS_16} />
      </IconButton>
    </form>
  );
}
