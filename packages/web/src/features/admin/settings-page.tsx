import { useState } from "react";
import type { JoinMode } from "@parley/protocol/codes";
import type { AdminSettings } from "@parley/protocol/admin-entities";
import { loadSettings, saveSettings } from "@parley/protocol/endpoints/admin-server";
import { UPLOAD_DAILY_MB_MAX, UPLOAD_MAX_MB_MAX, WINDOW_SECONDS_MAX } from "@parley/protocol/limits";
import { JoinModeChoice } from "../../kit/chats/join-mode-choice.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { useApi } from "../../kit/loading/use-client.ts";
import { useLoaded } from "../../kit/loading/use-loaded.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { KeyValueList, KeyValueRow } from "../../ui/key-value-list.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useAct } from "./act-dialog.tsx";
import { ActFailure, AdminPage, LoadedContent } from "./admin-page.tsx";
import styles from "./admin-page.module.css";
import { wholeNumber } from "./whole-number.ts";

const SWITCHES = ["isRegistrationOpen", "isInviteCodeRequired", "isAvatarRequired"] as const;

/** Each number as people set it: minutes for the windows, which the server counts in seconds. */
const NUMBERS = {
  recallSeconds: { unit: 60, min: 0, max: WINDOW_SECONDS_MAX / 60 },
  editSeconds: { unit: 60, min: 0, max: WINDOW_SECONDS_MAX / 60 },
  uploadMaxMb: { unit: 1, min: 1, max: UPLOAD_MAX_MB_MAX },
  uploadDailyMb: { unit: 1, min: 1, max: UPLOAD_DAILY_MB_MAX },
} as const;
type NumberName = keyof typeof NUMBERS;
type SettingName = keyof AdminSettings;
const NUMBER_NAMES = ["recallSeconds", "editSeconds", "uploadMaxMb", "uploadDailyMb"] as const;

/** The values to change; null returns to what the environment of the server says. */
type Changes = Partial<Record<SettingName, boolean | number | null>>;

/** What can be set without a restart. Each change takes effect at once, on all nodes. */
export function SettingsPage() {
  const t = useText();
  const api = useApi();
  const loaded = useLoaded(() => api(loadSettings, {}));
  const [saved, setSaved] = useState<AdminSettings | null>(null);
  const { run, failure, isBusy } = useAct();
  const save = async (changes: Changes) => {
    const body = changes as Parameters<typeof api<typeof saveSettings>>[1]["body"];
    const result = await run(() => api(saveSettings, { body }), t("admin.settings.saved"));
    if (result.ok) setSaved(result.value);
  };
  return (
    <AdminPage title={t("admin.page.settings")}>
      <p className={styles.note}>{t("admin.settings.note")}</p>
      <ActFailure failure={failure} />
      <LoadedContent loaded={loaded}>
        {(first) => <SettingRows settings={saved ?? first} isBusy={isBusy} onSave={save} />}
      </LoadedContent>
    </AdminPage>
  );
}

interface SettingRowsProps {
  settings: AdminSettings;
  isBusy: boolean;
  onSave: (changes: Changes) => Promise<void>;
}

function SettingRows({ settings, isBusy, onSave }: SettingRowsProps) {
  const t = useText();
  // The schema of the call lets no other number in.
  const newGroupJoinMode = settings.newGroupJoinMode.value as JoinMode;
  return (
    <div className={styles.narrow}>
      <h2 className={styles.heading}>{t("admin.settings.registration")}</h2>
      <KeyValueList>
        {SWITCHES.map((name) => (
          <KeyValueRow key={name} label={t(`admin.settings.${name}`)}>
            {({ labelId }) => (
              <>
                <ResetButton name={name} settings={settings} onSave={onSave} />
                <Switch
                  labelId={labelId}
                  isOn={settings[name].value}
                  isDisabled={isBusy}
                  onChange={(isOn) => void onSave({ [name]: isOn })}
                />
              </>
            )}
          </KeyValueRow>
        ))}
      </KeyValueList>
      <h2 className={styles.heading}>{t("admin.settings.newGroups")}</h2>
      <KeyValueList>
        <KeyValueRow
          label={t("admin.settings.newGroupJoinMode")}
          isMuted
          text={t(`groups.joinModeHint.${newGroupJoinMode}`)}
          isBelow
        >
          {({ labelId }) => (
            <>
              <ResetButton name="newGroupJoinMode" settings={settings} onSave={onSave} />
              <JoinModeChoice
                labelId={labelId}
                value={newGroupJoinMode}
                onChange={(mode) => void onSave({ newGroupJoinMode: mode })}
              />
            </>
          )}
        </KeyValueRow>
      </KeyValueList>
      <h2 className={styles.heading}>{t("admin.settings.limits")}</h2>
      <Stack as="ul">
        {NUMBER_NAMES.map((name) => (
          // Begins anew when the value has changed elsewhere.
          <NumberRow
            key={`${name} ${settings[name].value}`}
            name={name}
            settings={settings}
            isBusy={isBusy}
            onSave={onSave}
          />
        ))}
      </Stack>
    </div>
  );
}

/** A number with its own button, so that a half-typed one takes no effect. */
function NumberRow({ name, settings, isBusy, onSave }: SettingRowsProps & { name: NumberName }) {
  const t = useText();
  const { unit, min, max } = NUMBERS[name];
  const shown = String(settings[name].value / unit);
  const [text, setText] = useState(shown);
  const number = wholeNumber(text, min, max);
  const isChanged = text.trim() !== shown;
  return (
    <li>
      <Row
        as="form"
        wrap
        gap={8}
        align="start"
        paddingY={8}
        className={styles.numberRow}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && number !== undefined) void onSave({ [name]: number * unit });
        }}
      >
        <TextField
          className={styles.itemWords}
          label={t(`admin.settings.${name}`)}
          inputMode="numeric"
          value={text}
          error={isChanged && number === undefined ? t("admin.numberRange", { min, max }) : null}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="primary"
          isBusy={isBusy && isChanged}
          disabled={!isChanged || number === undefined}
        >
          {t("admin.settings.save")}
        </Button>
        <ResetButton name={name} settings={settings} onSave={onSave} />
      </Row>
    </li>
  );
}

/** Returns to the default, where something else is set. */
function ResetButton({
  name,
  settings,
  onSave,
}: Pick<SettingRowsProps, "settings" | "onSave"> & { name: SettingName }) {
  const t = useText();
  if (!settings[name].isSet) return null;
  return (
    <Button
      aria-label={t("admin.settings.resetName", { name: t(`admin.settings.${name}`) })}
      onClick={() => void onSave({ [name]: null })}
    >
      {t("admin.settings.reset")}
    </Button>
  );
}
