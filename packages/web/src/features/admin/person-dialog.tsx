import { useState } from "react";
import type { AdminPerson } from "@parley/protocol/admin-entities";
import {
  banPerson,
  endPersonSessions,
  grantAdmin,
  listPersonSessions,
  resetPersonPassword,
  revokeAdmin,
  unbanPerson,
  unregisterPerson,
} from "@parley/protocol/endpoints/admin-people";
import type { Result } from "@parley/core/model/state";
import { useText } from "../../kit/i18n/i18n.ts";
import { useApi, useClientState } from "../../kit/loading/use-client.ts";
import { myIdOf } from "../../kit/people/person.ts";
import { useLoaded } from "../../kit/loading/use-loaded.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { KeyValueList, KeyValueRow } from "../../ui/key-value-list.tsx";
import { Box, Row, Stack } from "../../ui/layout.tsx";
import { ActDialog, BanDialog, PasswordDialog } from "./act-dialog.tsx";
import { LoadedContent } from "./admin-page.tsx";
import styles from "./admin-page.module.css";
import { PersonCell, PersonStates, TimeText } from "./cells.tsx";

/** What can be done with a person; each asks first. */
type PersonAct =
  | "ban"
  | "unban"
  | "resetPassword"
  | "unregister"
  | "grantAdmin"
  | "revokeAdmin"
  | "endSessions";

/** What an act changes about a person; a ban also gives the reason. */
const CHANGES: Readonly<Record<PersonAct, Partial<AdminPerson>>> = {
  ban: { isBanned: true },
  unban: { isBanned: false, reason: null },
  resetPassword: {},
  unregister: { isUnregistered: true },
  grantAdmin: { isAdmin: true },
  revokeAdmin: { isAdmin: false },
  endSessions: {},
};

interface PersonDialogProps {
  person: AdminPerson;
  onChanged: (change: Partial<AdminPerson>) => void;
  onClose: () => void;
}

/** Everything about one person, and what an administrator can do. */
export function PersonDialog({ person, onChanged, onClose }: PersonDialogProps) {
  const t = useText();
  const [act, setAct] = useState<PersonAct | null>(null);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const [password, setPassword] = useState<string | null>(null);
  const name = person.nickName || person.userName;
  const sessions = usePersonSessions(person.id);
  const changed = (change: Partial<AdminPerson>) => {
    setAct(null);
    sessions.reload();
    onChanged(change);
  };
  return (
    <Dialog isOpen isSheet onClose={onClose} title={name} width={560}>
      <PersonFacts person={person} />
      <PersonActs
        person={person}
        onAsk={(next, button) => {
          setAct(next);
          setOpener(button);
        }}
      />
      <h3 className={styles.heading}>{t("admin.sessions.title")}</h3>
      <Sessions person={person} sessions={sessions} onEndAll={() => setAct("endSessions")} />
      {act !== null && (
        <AskForPerson
          person={person}
          act={act}
          onDone={changed}
          onPassword={setPassword}
          onClose={() => setAct(null)}
        />
      )}
      {password !== null && (
        <PasswordDialog
          userName={person.userName}
          password={password}
          opener={opener}
          onClose={() => setPassword(null)}
        />
      )}
    </Dialog>
  );
}

function PersonFacts({ person }: { person: AdminPerson }) {
  const t = useText();
  return (
    <>
      <PersonCell person={person} isOnline={person.online} />
      <Box marginTop={12} marginBottom={16}>
        <KeyValueList>
          <KeyValueRow label={t("admin.people.state")} text={<PersonStates person={person} />} />
          {person.isBanned && <KeyValueRow label={t("admin.reason")} text={<bdi>{person.reason}</bdi>} />}
          <KeyValueRow label={t("admin.id")} text={person.id} />
          <KeyValueRow label={t("admin.people.created")} text={<TimeText time={person.createdTime} />} />
          <KeyValueRow
            label={t("admin.people.seen")}
            text={person.online ? t("admin.people.online") : <TimeText time={person.lastSeenTime} />}
          />
        </KeyValueList>
      </Box>
    </>
  );
}

/** The acts that make sense for a person as he or she is now. */
function PersonActs({
  person,
  onAsk,
}: {
  person: AdminPerson;
  onAsk: (act: PersonAct, button: HTMLElement) => void;
}) {
  const t = useText();
  const isMe = useClientState((state) => myIdOf(state) === person.id);
  if (person.isUnregistered) return <p className={styles.note}>{t("admin.people.closedNote")}</p>;
  const acts: readonly (PersonAct | false)[] = [
    // It would end one's own session before the new password is read; one's own password is changed in the settings.
    !isMe && "resetPassword",
    !person.isBanned && (person.isAdmin ? "revokeAdmin" : "grantAdmin"),
    !isMe && (person.isBanned ? "unban" : "ban"),
    !isMe && "unregister",
  ];
  return (
    <Row wrap gap={8} align="stretch">
      {acts.map(
        (act) =>
          act !== false && (
            <Button
              key={act}
              variant={act === "ban" || act === "unregister" ? "danger" : "secondary"}
              onClick={(event) => onAsk(act, event.currentTarget)}
            >
              {t(`admin.person.${act}`)}
            </Button>
          ),
      )}
    </Row>
  );
}

interface AskForPersonProps {
  person: AdminPerson;
  act: PersonAct;
  onDone: (change: Partial<AdminPerson>) => void;
  onPassword: (password: string) => void;
  onClose: () => void;
}

/** Asks before an act, and carries it out. */
function AskForPerson({ person, act, onDone, onPassword, onClose }: AskForPersonProps) {
  const t = useText();
  const api = useApi();
  const name = person.nickName || person.userName;
  const body = { userId: person.id };
  if (act === "ban")
    return (
      <BanDialog
        title={t("admin.person.banTitle", { name })}
        note={t("admin.person.banBody")}
        doneText={t("admin.person.banDone", { name })}
        act={(reason) => api(banPerson, { body: { ...body, reason } })}
        onDone={(reason) => onDone({ ...CHANGES.ban, reason })}
        onClose={onClose}
      />
    );
  const calls: Readonly<Record<typeof act, () => Promise<Result<unknown>>>> = {
    unban: () => api(unbanPerson, { body }),
    unregister: () => api(unregisterPerson, { body }),
    grantAdmin: () => api(grantAdmin, { body }),
    revokeAdmin: () => api(revokeAdmin, { body }),
    endSessions: () => api(endPersonSessions, { query: { userId: person.id } }),
    async resetPassword() {
      const result = await api(resetPersonPassword, { body });
      if (result.ok) onPassword(result.value.password);
      return result;
    },
  };
  return (
    <ActDialog
      title={t(`admin.person.${act}Title`, { name })}
      body={t(`admin.person.${act}Body`)}
      confirmLabel={t(`admin.person.${act}`)}
      doneText={t(`admin.person.${act}Done`, { name })}
      act={calls[act]}
      onDone={() => onDone(CHANGES[act])}
      onClose={onClose}
    />
  );
}

function usePersonSessions(userId: number) {
  const api = useApi();
  return useLoaded(() => api(listPersonSessions, { query: { userId } }), String(userId));
}

interface SessionsProps {
  person: AdminPerson;
  sessions: ReturnType<typeof usePersonSessions>;
  onEndAll: () => void;
}

/** Where a person is signed in. */
function Sessions({ person, sessions, onEndAll }: SessionsProps) {
  const t = useText();
  const api = useApi();
  const [ending, setEnding] = useState<{ readonly id: string; readonly name: string } | null>(null);
  return (
    <LoadedContent loaded={sessions}>
      {(list) =>
        list.length === 0 ? (
          <p className={styles.note}>{t("admin.sessions.none")}</p>
        ) : (
          <>
            <Stack as="ul">
              {list.map(({ id, device, os, browser, lastSeen, address }) => {
                const parts = [browser, os, device].filter((part) => part !== null && part !== "");
                const name = [...new Set(parts)].join(" · ") || t("settings.deviceUnknown");
                return (
                  <Row as="li" key={id} wrap paddingY={8} className={styles.item}>
                    <span className={styles.itemWords}>
                      <bdi>{name}</bdi>
                      <br />
                      <span className={styles.soft}>
                        {t("admin.people.seen")} <TimeText time={lastSeen} />
                        {address !== null && (
                          <>
                            {" · "}
                            <bdi>{address}</bdi>
                          </>
                        )}
                      </span>
                    </span>
                    <Button
                      size="small"
                      aria-label={t("settings.signOutDevice", { name })}
                      onClick={() => setEnding({ id, name })}
                    >
                      {t("settings.signOut")}
                    </Button>
                  </Row>
                );
              })}
            </Stack>
            {list.length > 1 && (
              <Row wrap gap={8} align="stretch" justify="end" marginTop={8}>
                <Button variant="danger" size="small" onClick={onEndAll}>
                  {t("admin.person.endSessions")}
                </Button>
              </Row>
            )}
            {ending !== null && (
              <ActDialog
                title={t("admin.sessions.endTitle", { name: ending.name })}
                body={t("admin.sessions.endBody")}
                confirmLabel={t("settings.signOut")}
                doneText={t("settings.signedOut")}
                act={() => api(endPersonSessions, { query: { userId: person.id, id: ending.id } })}
                onDone={() => {
                  setEnding(null);
                  sessions.reload();
                }}
                onClose={() => setEnding(null)}
              />
            )}
          </>
        )
      }
    </LoadedContent>
  );
}
