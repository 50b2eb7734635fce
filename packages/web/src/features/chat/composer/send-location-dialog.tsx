import { useState } from "react";
import { LocateFixed } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { LOCATION_ADDRESS_MAX, LOCATION_NAME_MAX } from "@parley/protocol/limits";
import { useText } from "../../../kit/i18n.ts";
import { useClient } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { useConversationUi } from "../message/conversation-ui.ts";
import styles from "./send-dialogs.module.css";
import { locateDevice } from "./locate-device.ts";
import type { LocateDeviceError } from "./locate-device.ts";
import { parseLocation } from "./location-form.ts";
import type { LocationError } from "./location-form.ts";

/** Sends a place: in words, with where the device says it is, or with degrees that are typed. */
export function SendLocationDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const ime = useImeGuard();
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const [latitude, setLatitude] = useState("");
  const [longitude, setLongitude] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<LocateDeviceError | null>(null);
  const [isTried, setTried] = useState(false);
  const [hasDegrees, setHasDegrees] = useState(false);

  const { locationContent, faults: errors } = parseLocation({ name, address, latitude, longitude });
  const fails = (fault: LocationError) => isTried && errors.includes(fault);
  const ask = async () => {
    setAsking(true);
    setProblem(null);
    const found = await locateDevice();
    setAsking(false);
    if (typeof found === "string") {
      setProblem(found);
      return;
    }
    setLatitude(found.latitude.toFixed(6));
    setLongitude(found.longitude.toFixed(6));
    setHasDegrees(true);
  };
  /** What is not seen is not sent. */
  const toggleDegrees = () => {
    setHasDegrees(!hasDegrees);
    setLatitude("");
    setLongitude("");
  };
  const send = () => {
    setTried(true);
    if (locationContent === null) return;
    client.chats.sendContent(ui.key, MessageType.LOCATION, JSON.stringify(locationContent));
    onClose();
  };
  const guard = {
    autoComplete: "off",
    onKeyDown(event: { key: string; keyCode: number; preventDefault(): void }) {
      // Enter would submit the form although the input method only takes its word.
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
          error={fails("words") ? t("compose.placeNothing") : undefined}
          maxLength={LOCATION_NAME_MAX}
          dir="auto"
          onChange={(event) => setName(event.currentTarget.value)}
          {...guard}
        />
        <TextField
          label={t("compose.placeAddress")}
          value={address}
          maxLength={LOCATION_ADDRESS_MAX}
          dir="auto"
          onChange={(event) => setAddress(event.currentTarget.value)}
          {...guard}
        />
        <div className={styles.where}>
          <div className={styles.ways}>
            <Button icon={<LocateFixed {...ICON_PROPS} />} isBusy={isAsking} onClick={() => void ask()}>
              {t("compose.placeHere")}
            </Button>
            <Button variant="quiet" aria-expanded={hasDegrees} onClick={toggleDegrees}>
              {t("compose.placeDegrees")}
            </Button>
          </div>
          <p
            className={problem === null ? styles.note : styles.problem}
            role={problem === null ? undefined : "alert"}
          >
            {problem === null ? t("compose.placeHint") : t(`compose.place.${problem}`)}
          </p>
        </div>
        {hasDegrees && (
          <div className={styles.pair}>
            <TextField
              label={t("compose.latitude")}
              value={latitude}
              inputMode="text"
              placeholder="31.2304"
              error={fails("latitude") ? t("compose.latitudeWrong") : undefined}
              onChange={(event) => setLatitude(event.currentTarget.value)}
              {...guard}
            />
            <TextField
              label={t("compose.longitude")}
              value={longitude}
              inputMode="text"
              placeholder="121.4737"
              error={fails("longitude") ? t("compose.longitudeWrong") : undefined}
              onChange={(event) => setLongitude(event.currentTarget.value)}
              {...guard}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
