import { useState } from "react";
import type { ChangeEvent, KeyboardEvent } from "react";
import { LocateFixed } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { LOCATION_ADDRESS_MAX, LOCATION_NAME_MAX } from "@parley/protocol/limits";
import { useText } from "../../../../kit/i18n.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { useImeGuard } from "../../../../ui/ime.ts";
import { useConversationUi } from "../conversation-ui.ts";
import styles from "./send-dialogs.module.css";
import { locateDevice } from "./locate-device.ts";
import type { LocateDeviceError } from "./locate-device.ts";
import { parseLocation } from "./location-form.ts";
import type { LocationError, LocationForm } from "./location-form.ts";

const EMPTY_FORM: LocationForm = { name: "", address: "", latitude: "", longitude: "" };

/** Sends a location: a name or address, the position of the device, or typed coordinates. */
export function SendLocationDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const ime = useImeGuard();
  const { form, change, hasDegrees, toggleDegrees, isLocating, locateError, locate } = useLocationForm();
  const [isSubmitted, setSubmitted] = useState(false);

  const { locationContent, errors } = parseLocation(form);
  const hasError = (error: LocationError) => isSubmitted && errors.includes(error);
  const send = () => {
    setSubmitted(true);
    if (locationContent === null) return;
    client.chats.sendContent(ui.key, MessageType.LOCATION, JSON.stringify(locationContent));
    onClose();
  };
  const inputProps = (field: keyof LocationForm) => ({
    value: form[field],
    autoComplete: "off",
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [field]: event.currentTarget.value }),
    onKeyDown(event: KeyboardEvent) {
      // This Enter only confirms the input method's text; it must not submit the form.
      if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
    },
    ...ime.handlers,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("compose.placeTitle")}
      width={440}
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit">
            {t("chat.send")}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <TextField
          label={t("compose.placeName")}
          error={hasError("words") ? t("compose.placeNothing") : undefined}
          maxLength={LOCATION_NAME_MAX}
          dir="auto"
          {...inputProps("name")}
        />
        <TextField
          label={t("compose.placeAddress")}
          maxLength={LOCATION_ADDRESS_MAX}
          dir="auto"
          {...inputProps("address")}
        />
        <div className={styles.coordinates}>
          <div className={styles.buttons}>
            <Button icon={<LocateFixed {...ICON_PROPS} />} isBusy={isLocating} onClick={() => void locate()}>
              {t("compose.placeHere")}
            </Button>
            <Button variant="ghost" aria-expanded={hasDegrees} onClick={toggleDegrees}>
              {t("compose.placeDegrees")}
            </Button>
          </div>
          <p
            className={locateError === null ? styles.note : styles.problem}
            role={locateError === null ? undefined : "alert"}
          >
            {locateError === null ? t("compose.placeHint") : t(`compose.place.${locateError}`)}
          </p>
        </div>
        {hasDegrees && (
          <div className={styles.degrees}>
            <TextField
              label={t("compose.latitude")}
              inputMode="text"
              placeholder="31.2304"
              error={hasError("latitude") ? t("compose.latitudeWrong") : undefined}
              {...inputProps("latitude")}
            />
            <TextField
              label={t("compose.longitude")}
              inputMode="text"
              placeholder="121.4737"
              error={hasError("longitude") ? t("compose.longitudeWrong") : undefined}
              {...inputProps("longitude")}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** The typed texts, and the coordinates, which the device can fill in. `hasDegrees`: the fields of the coordinates are shown. */
function useLocationForm() {
  const [form, setForm] = useState(EMPTY_FORM);
  const change = (part: Partial<LocationForm>) => setForm((current) => ({ ...current, ...part }));
  const [hasDegrees, setHasDegrees] = useState(false);
  const [isLocating, setLocating] = useState(false);
  const [locateError, setLocateError] = useState<LocateDeviceError | null>(null);

  const locate = async () => {
    setLocating(true);
    setLocateError(null);
    const result = await locateDevice();
    setLocating(false);
    if (typeof result === "string") {
      setLocateError(result);
      return;
    }
    change({ latitude: result.latitude.toFixed(6), longitude: result.longitude.toFixed(6) });
    setHasDegrees(true);
  };
  /** Clears the coordinates, since hidden ones must not be sent. */
  const toggleDegrees = () => {
    setHasDegrees(!hasDegrees);
    change({ latitude: "", longitude: "" });
  };
  return { form, change, hasDegrees, toggleDegrees, isLocating, locateError, locate } as const;
}
