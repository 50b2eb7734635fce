import type { AdminGroup, AdminPerson, PersonRef } from "@parley/protocol/admin-entities";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import { smallPictureUrl } from "../../kit/people/person.ts";
import { fullTime, tipTime } from "../../kit/i18n/time-text.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import styles from "./admin-page.module.css";

interface PersonCellProps {
  person: PersonRef & { readonly headImage: string | null; readonly headImageThumb: string | null };
  isOnline?: boolean;
}

/** A person of a list: picture, nickname, and the user name below. */
export function PersonCell({ person, isOnline = false }: PersonCellProps) {
  const client = useClient();
  const name = person.nickName || person.userName;
  return (
    <Row as="span" gap={12} shrink textAlign="start">
      <Avatar
        name={name}
        id={person.id}
        url={smallPictureUrl(client, person)}
        size={32}
        isOnline={isOnline}
      />
      <Stack as="span" shrink>
        <bdi>{name}</bdi>
        <bdi className={styles.soft}>{person.userName}</bdi>
      </Stack>
    </Row>
  );
}

/** The name of a person whom something mentions; null: an account that no longer exists. */
export function PersonName({ person }: { person: PersonRef | null }) {
  const t = useText();
  if (person === null) return <span className={styles.soft}>{t("admin.nobody")}</span>;
  return (
    <>
      <bdi>{person.nickName}</bdi> <bdi className={styles.soft}>{person.userName}</bdi>
    </>
  );
}

/** Labels of a person: the role, and that the account is banned or closed. */
export function PersonStates({ person }: { person: AdminPerson }) {
  const t = useText();
  const { isAdmin, isBanned, isUnregistered } = person;
  if (!isAdmin && !isBanned && !isUnregistered)
    return <Text tone="tertiary">{t("admin.people.active")}</Text>;
  return (
    <span className={styles.chips}>
      {isAdmin && <Chip tone="accent">{t("admin.people.admin")}</Chip>}
      {isBanned && <Chip tone="warm">{t("admin.people.banned")}</Chip>}
      {isUnregistered && <Chip>{t("admin.people.unregistered")}</Chip>}
    </span>
  );
}

/** Whether a group is banned or dissolved. */
export function GroupStates({ group: { isBanned, isDissolved } }: { group: AdminGroup }) {
  const t = useText();
  if (!isBanned && !isDissolved) return <Text tone="tertiary">{t("admin.people.active")}</Text>;
  return (
    <span className={styles.chips}>
      {isBanned && <Chip tone="warm">{t("admin.people.banned")}</Chip>}
      {isDissolved && <Chip>{t("admin.groups.dissolved")}</Chip>}
    </span>
  );
}

/** A time as short as its distance allows; the whole one is its tooltip. `null`: never. */
export function TimeText({ time }: { time: number | null }) {
  const t = useText();
  const locale = useLocale();
  if (time === null) return t("admin.never");
  return (
    <time dateTime={new Date(time).toISOString()} title={fullTime(time, locale)}>
      {tipTime(time, Date.now(), locale, t)}
    </time>
  );
}
