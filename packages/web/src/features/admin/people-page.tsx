import { useId, useState } from "react";
import { UserRoundPlus } from "lucide-react";
import { validateRegistration } from "@parley/core/model/forms/form-rules";
import { type AdminPerson, PEOPLE_STATES, type PeopleState } from "@parley/protocol/admin-entities";
import { createPerson, listPeople } from "@parley/protocol/endpoints/admin-people";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { useApi } from "../../kit/loading/use-client.ts";
import { useForm } from "../../kit/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FailureText } from "../../ui/failure-text.tsx";
import { PasswordField, TextField } from "../../ui/field.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Card, Row, Stack } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { PasswordDialog } from "./act-dialog.tsx";
import { AdminPage, FAILURE_BOX } from "./admin-page.tsx";
import { PersonCell, PersonStates, TimeText } from "./cells.tsx";
import { PersonDialog } from "./person-dialog.tsx";
import { type Column, ResourceList, useOpenRow, usePagedRows } from "./resource-list.tsx";

/** Everybody with an account on this server. */
export function PeoplePage() {
  const t = useText();
  const api = useApi();
  const filterId = useId();
  const [state, setState] = useState<PeopleState>("all");
  const [isCreating, setCreating] = useState(false);
  const rows = usePagedRows((request) => api(listPeople, { query: { ...request, state } }), state);
  const opened = useOpenRow(rows);
  return (
    <AdminPage
      title={t("admin.page.people")}
      actions={
        <Button
          variant="primary"
          icon={<UserRoundPlus {...ICON_PROPS_16} />}
          onClick={() => setCreating(true)}
        >
          {t("admin.people.create")}
        </Button>
      }
    >
      <ResourceList
        label={t("admin.page.people")}
        columns={columnsOf(t)}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={opened.open}
        searchLabel={t("admin.people.search")}
        filters={
          <>
            <span id={filterId} className="visually-hidden">
              {t("admin.people.filter")}
            </span>
            <Segmented
              labelId={filterId}
              value={state}
              options={PEOPLE_STATES.map((value) => ({ value, text: t(`admin.people.filter.${value}`) }))}
              onChange={setState}
            />
          </>
        }
        emptyText={t("admin.people.none")}
      />
      {opened.row !== null && (
        <PersonDialog person={opened.row} onChanged={opened.change} onClose={opened.close} />
      )}
      {isCreating && <CreatePersonDialog onCreated={rows.reload} onClose={() => setCreating(false)} />}
    </AdminPage>
  );
}

function columnsOf(t: Translate): readonly Column<AdminPerson>[] {
  return [
    {
      id: "name",
      header: t("admin.people.name"),
      cell: (person) => <PersonCell person={person} isOnline={person.online} />,
    },
    { id: "state", header: t("admin.people.state"), cell: (person) => <PersonStates person={person} /> },
    {
      id: "created",
      header: t("admin.people.created"),
      cell: ({ createdTime }) => <TimeText time={createdTime} />,
    },
    {
      id: "seen",
      header: t("admin.people.seen"),
      cell: ({ lastSeenTime, online }) =>
        online ? t("admin.people.online") : <TimeText time={lastSeenTime} />,
    },
    { id: "id", header: t("admin.id"), cell: ({ id }) => id, isNumber: true },
  ];
}

const EMPTY = { userName: "", nickName: "", password: "" };

/** The rules of a registration, except that the password may be left out. */
function validate({ userName, nickName, password }: typeof EMPTY) {
  const rest = { confirmPassword: password, inviteCode: "", headImage: null, headImageThumb: null };
  const none = { inviteCode: false, avatar: false };
  const errors = validateRegistration({ userName, nickName, password, ...rest }, none);
  return {
    ...(errors.userName !== undefined && { userName: errors.userName }),
    ...(errors.nickName !== undefined && { nickName: errors.nickName }),
    ...(password !== "" && errors.password !== undefined && { password: errors.password }),
  };
}

interface CreatePersonDialogProps {
  onCreated: () => void;
  onClose: () => void;
}

/** Registers a person. A password that the server has made is shown this once. */
function CreatePersonDialog({ onCreated, onClose }: CreatePersonDialogProps) {
  const t = useText();
  const api = useApi();
  const form = useForm({
    initial: EMPTY,
    order: ["userName", "nickName", "password"],
    check: validate,
    failureField: (failure) =>
      failure.kind === "refused" && failure.key === "register.userNameTaken" ? "userName" : undefined,
  });
  const [password, setPassword] = useState<string | null>(null);
  // The second dialog replaces the first one, so it does not find the button that opened them.
  const [opener] = useState(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement : null,
  );
  const { values, textFieldProps } = form;
  // The answer holds a password that is shown only once.
  const close = () => !form.isSending && onClose();
  const submit = async () => {
    const result = await form.send(() =>
      api(createPerson, { body: { ...values, password: values.password || null } }),
    );
    if (result?.ok !== true) return;
    onCreated();
    // A password that was typed is known already; the dialog still says that the account was created.
    setPassword(result.value.password ?? values.password);
  };
  if (password !== null)
    return (
      <PasswordDialog userName={values.userName} password={password} opener={opener} onClose={onClose} />
    );
  return (
    <Dialog isOpen onClose={close} title={t("admin.people.create")} width={440}>
      <Stack
        as="form"
        ref={form.form}
        gap={16}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          {...textFieldProps("userName")}
          label={t("login.username")}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        <TextField {...textFieldProps("nickName")} label={t("register.nickname")} autoComplete="off" />
        <PasswordField
          {...textFieldProps("password")}
          label={t("login.password")}
          autoComplete="new-password"
          hint={t("admin.people.passwordHint")}
        />
        {form.problem !== null && <Card as={FailureText} {...FAILURE_BOX} text={form.problem} />}
        <Row wrap gap={8} align="stretch" justify="end" marginTop={8}>
          <Button onClick={close}>{t("app.cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={form.isSending}>
            {t("admin.people.createNow")}
          </Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
