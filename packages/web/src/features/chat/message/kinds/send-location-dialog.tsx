import { useState } from "react";
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
import type { LocationError } from "./location-form.ts";

/** Sends a location: a name or address, the position of the device, or typed coordinates. */
export function SendLocationDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const ime = useImeGuard();
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const [latitude, setLatitude] = useState("");
  const [longitude, setLongitude] = useState("");
  const [isLocating, setLocating] = useState(false);
  const [locateError, setLocateError] = useState<LocateDeviceError | null>(null);
  const [isSubmitted, setSubmitted] = useState(false);
  const [hasDegrees, setHasDegrees] = useState(false);

  const { locationContent, errors } = parseLocation({ name, address, latitude, longitude });
  const hasError = (error: LocationError) => isSubmitted && errors.includes(error);
  const locate = async () => {
    setLocating(true);
    setLocateError(null);
    const result = await locateDevice();
    setLocating(false);
    if (typeof result === "string") {
      setLocateError(result);
      return;
    }
    setLatitude(result.latitude.toFixed(6));
    setLongitude(result.longitude.toFixed(6));
    setHasDegrees(true);
  };
  /** Clears the coordinates, since hidden ones must not be sent. */
  const toggleDegrees = () => {
    setHasDegrees(!hasDegrees);
    setLatitude("");
    setLongitude("");
  };
  const send = () => {
    setSubmitted(true);
    if (locationContent === null) return;
    client.chats.sendContent(ui.key, MessageType.LOCATION, JSON.stringify(locationContent));
    onClose();
  };
  const imeGuard = {
    autoComplete: "off",
    onKeyDown(event: { key: string; keyCode: number; preventDefault(): void }) {
      // This Enter only confirms the input method's text; it must not submit the form.
      if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
    },
    ...ime.handlers,
  };
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
          value={name}
          error={hasError("words") ? t("compose.placeNothing") : undefined}
          maxLength={LOCATION_NAME_MAX}
          dir="auto"
          onChange={(event) => setName(event.currentTarget.value)}
          {...imeGuard}
        />
        <TextField
          label={t("compose.placeAddress")}
          value={address}
          maxLength={LOCATION_ADDRESS_MAX}
          dir="auto"
          onChange={(event) => setAddress(event.currentTarget.value)}
          {...imeGuard}
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
              value={latitude}
              inputMode="text"
              placeholder="31.2304"
              error={hasError("latitude") ? t("compose.latitudeWrong") : undefined}
              onChange={(event) => setLatitude(event.currentTarget.value)}
              {...imeGuard}
            />
            <TextField
              label={t("compose.longitude")}
              value={longitude}
              inputMode="text"
              placeholder="121.4737"
              error={hasError("longitude") ? t("compose.longitudeWrong") : undefined}
              onChange={(event) => setLongitude(event.currentTarget.value)}
              {...imeGuard}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
