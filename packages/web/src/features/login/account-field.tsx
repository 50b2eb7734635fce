import { useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { SavedAccount } from "@parley/core/session/accounts";
import { useText } from "../../kit/i18n/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { ChevronDownIcon } from "../../ui/icons.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { AccountList } from "./account-list.tsx";
import { CLOSED_PICKER, pickerKeyEffect } from "./account-picker.ts";
import styles from "./account-field.module.css";

export interface AccountFieldProps {
  accounts: readonly SavedAccount[];
  value: string;
  error: string | null;
  onChange: (userName: string) => void;
  onBlur: () => void;
  onPick: (account: SavedAccount) => void;
  onForget: (account: SavedAccount) => void;
}

/** The user name field, with a list of the accounts that this browser remembers. */
export function AccountField(props: AccountFieldProps) {
  const { accounts, value, error, onChange, onBlur, onPick, onForget } = props;
  const t = useText();
  const listId = useId();
  const ime = useImeGuard();
  const box = useRef<HTMLDivElement>(null);
  const [picker, setPicker] = useState(CLOSED_PICKER);
  const { active } = picker;
  const hasList = accounts.length > 0;
  const isListShown = picker.isOpen && hasList;

  const close = () => setPicker(CLOSED_PICKER);
  const pick = (account: SavedAccount) => {
    close();
    onPick(account);
  };
  const forget = (account: SavedAccount) => {
    onForget(account);
    setPicker({ ...picker, active: -1 });
    input()?.focus();
  };
  const input = () => box.current?.querySelector("input");

  const handleKeyDown = (event: KeyboardEvent) => {
    const effect = ime.isComposing(event) ? null : pickerKeyEffect(picker, event.key, accounts.length);
    if (effect === null) return;
    event.preventDefault();
    const account = accounts[active];
    if (typeof effect === "object") setPicker(effect);
    else if (account === undefined) return;
    else if (effect === "pick") pick(account);
    else forget(account);
  };

  return (
    <div
      ref={box}
      className={styles.field}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        close();
        onBlur();
      }}
    >
      <TextField
        name="userName"
        label={t("login.username")}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={value}
        error={error}
        {...ime.handlers}
        {...(hasList && {
          role: "combobox",
          "aria-expanded": isListShown,
          "aria-controls": listId,
          "aria-autocomplete": "none" as const,
          "aria-activedescendant": active >= 0 && isListShown ? `${listId}-${active}` : undefined,
        })}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        end={
          hasList && (
            <IconButton
              label={t("login.savedAccounts")}
              size={32}
              hasTooltip={false}
              isOn={isListShown}
              className={styles.opener}
              tabIndex={-1}
              aria-expanded={isListShown}
              aria-controls={listId}
              onClick={() => {
                setPicker({ ...picker, isOpen: !picker.isOpen });
                input()?.focus();
              }}
            >
              <ChevronDownIcon />
            </IconButton>
          )
        }
      />
      {isListShown && (
        <AccountList id={listId} accounts={accounts} active={active} onPick={pick} onForget={forget} />
      )}
    </div>
  );
}
