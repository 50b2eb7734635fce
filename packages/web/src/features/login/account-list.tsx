import type { SavedAccount } from "@parley/core/client-api";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { CrossIcon } from "../../ui/icons.tsx";
import styles from "./account-list.module.css";

export interface AccountListProps {
  id: string;
  accounts: readonly SavedAccount[];
  /** Index of the account that the arrow keys have reached, -1 for none. */
  active: number;
  onPick: (account: SavedAccount) => void;
  onForget: (account: SavedAccount) => void;
}

/** The accounts that this browser remembers, below the user name field. */
export function AccountList({ id, accounts, active, onPick, onForget }: AccountListProps) {
  const t = useText();
  return (
    <ul id={id} className={styles.list} role="listbox" aria-label={t("login.savedAccounts")}>
      {accounts.map((account, index) => (
        <AccountRow
          key={account.userName}
          id={`${id}-${index}`}
          account={account}
          isActive={index === active}
          onPick={() => onPick(account)}
          onForget={() => onForget(account)}
        />
      ))}
    </ul>
  );
}

interface AccountRowProps {
  id: string;
  account: SavedAccount;
  isActive: boolean;
  onPick: () => void;
  onForget: () => void;
}

/** A remembered account. The focus stays in the field, whose keys have the same effects as the pointer here. */
function AccountRow({ id, account, isActive, onPick, onForget }: AccountRowProps) {
  const t = useText();
  const client = useClient();
  const { userName, nickName, headImageThumb } = account;
  const name = nickName === "" ? userName : nickName;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      id={id}
      className={classNames(styles.account, isActive && styles.active)}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Avatar
        name={name}
        id={[...userName].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)}
        url={headImageThumb === null ? null : client.fileUrl(headImageThumb)}
        size={36}
      />
      <span className={styles.names}>
        <span className={styles.name}>{name}</span>
        <span className={styles.user}>{userName}</span>
      </span>
      <IconButton
        label={t("login.forget", { name: userName })}
        size={32}
        hasTooltip={false}
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          onForget();
        }}
      >
        <CrossIcon />
      </IconButton>
    </li>
  );
}
