import type { MouseEvent } from "react";
import type { SavedAccount } from "@parley/core/session/accounts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { CrossIcon } from "../../ui/icons.tsx";
import { Card, Row, Stack, Text } from "../../ui/layout.tsx";
import styles from "./account-list.module.css";

export interface AccountListProps {
  id: string;
  accounts: readonly SavedAccount[];
  /** Index of the account that the arrow keys have reached, -1 for none. */
  active: number;
  onPick: (account: SavedAccount) => void;
  onForget: (account: SavedAccount) => void;
}

/**
 * The accounts that this browser remembers, below the user name field. The buttons to forget them lie over their rows and not in them,
 * because an option cannot contain a button for screen readers. The focus stays in the field, whose keys have the same effects as the
 * pointer here.
 */
export function AccountList({ id, accounts, active, onPick, onForget }: AccountListProps) {
  const t = useText();
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  return (
    <Card variant="raised" padding={4} className={styles.list}>
      <ul id={id} className={styles.accounts} role="listbox" aria-label={t("login.savedAccounts")}>
        {accounts.map((account, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <Row
            as="li"
            key={account.userName}
            id={`${id}-${index}`}
            gap={12}
            className={classNames(styles.account, index === active && styles.active)}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onMouseDown={keepFocus}
            onClick={() => onPick(account)}
          >
            <Account account={account} />
          </Row>
        ))}
      </ul>
      <div className={styles.buttons}>
        {accounts.map((account) => (
          <IconButton
            key={account.userName}
            label={t("login.forget", { name: account.userName })}
            size={32}
            hasTooltip={false}
            tabIndex={-1}
            onMouseDown={keepFocus}
            onClick={() => onForget(account)}
          >
            <CrossIcon />
          </IconButton>
        ))}
      </div>
    </Card>
  );
}

/** A remembered account. */
function Account({ account }: { account: SavedAccount }) {
  const client = useClient();
  const { userId, userName, nickName, headImageThumb } = account;
  const name = nickName === "" ? userName : nickName;
  return (
    <>
      <Avatar
        name={name}
        id={userId}
        url={headImageThumb === null ? null : client.fileUrl(headImageThumb)}
        size={36}
      />
      <Stack as="span" grow line={20}>
        <Text truncate>{name}</Text>
        <Text truncate size={12} line={16} tone="tertiary">
          {userName}
        </Text>
      </Stack>
    </>
  );
}
