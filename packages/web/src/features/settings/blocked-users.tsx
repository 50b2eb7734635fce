import { useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { usePerson } from "../../kit/person.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./settings.module.css";

/** The people whom I have blocked. */
export function BlockedUsers() {
  const t = useText();
  const blacklist = useClientState((state) => state.contacts.blacklist);
  return (
    <section className={styles.block} aria-label={t("settings.blocked")}>
      <h2 className={styles.heading}>{t("settings.blocked")}</h2>
      <p className={styles.note}>
        {t(blacklist.length === 0 ? "settings.blockedNone" : "settings.blockedHint")}
      </p>
      <ul className={styles.list}>
        {blacklist.map((id) => (
          <BlockedUser key={id} id={id} />
        ))}
      </ul>
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
    <li className={styles.item}>
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
    </li>
  );
}
