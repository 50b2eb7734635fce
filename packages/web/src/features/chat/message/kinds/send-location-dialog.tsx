import { type ChangeEvent, type KeyboardEvent, useState } from "react";
import { LocateFixed } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { LOCATION_ADDRESS_MAX, LOCATION_NAME_MAX } from "@parley/protocol/limits";
import { isVisible } from "@parley/protocol/text";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { useImeGuard } from "../../../../ui/ime.ts";
import { Row, Stack, Text } from "../../../../ui/layout.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import styles from "./send-dialogs.module.css";

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
      <Stack gap={16}>
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
          <Row align="stretch" gap={8} wrap>
            <Button icon={<LocateFixed {...ICON_PROPS} />} isBusy={isLocating} onClick={() => void locate()}>
              {t("compose.placeHere")}
            </Button>
            <Button variant="ghost" aria-expanded={hasDegrees} onClick={toggleDegrees}>
              {t("compose.placeDegrees")}
            </Button>
          </Row>
          <Text
            as="p"
            size={13}
            tone={locateError === null ? "secondary" : "danger"}
            role={locateError === null ? undefined : "alert"}
          >
            {locateError === null ? t("compose.placeHint") : t(`compose.place.${locateError}`)}
          </Text>
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
      </Stack>
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

/** The typed values of the location form. */
interface LocationForm {
  readonly name: string;
  readonly address: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** The content of a location message. Latitude and longitude are both given or both null. */
interface LocationContent {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly name: string;
  readonly address: string;
}

/** Which field is invalid; "words": name and address are both missing. */
type LocationError = "words" | "latitude" | "longitude";

/** The location, or null with the errors. It needs a name, an address, or both coordinates. */
export function parseLocation(form: LocationForm): {
  locationContent: LocationContent | null;
  errors: readonly LocationError[];
} {
  const name = form.name.trim();
  const address = form.address.trim();
  if (form.latitude.trim() === "" && form.longitude.trim() === "") {
    if (!isVisible(name + address)) return { locationContent: null, errors: ["words"] };
    return { locationContent: { latitude: null, longitude: null, name, address }, errors: [] };
  }
  const latitude = parseDegrees(form.latitude, 90);
  const longitude = parseDegrees(form.longitude, 180);
  if (latitude !== null && longitude !== null) {
    return { locationContent: { latitude, longitude, name, address }, errors: [] };
  }
  const errors = [latitude === null && "latitude", longitude === null && "longitude"] as const;
  return { locationContent: null, errors: errors.filter((error) => error !== false) };
}

/** Parses typed degrees, with a decimal point or comma and an optional sign; null if invalid or out of range. */
export function parseDegrees(text: string, max: 90 | 180): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (!/^[+-]?\d{1,3}(\.\d+)?$/.test(trimmed)) return null;
  const degrees = Number(trimmed);
  return Math.abs(degrees) <= max ? degrees : null;
}

/** Degrees. */
interface DevicePosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** Why the position of the device is not available. */
type LocateDeviceError = "refused" | "unknown" | "late" | "insecure";

const WAIT_MS = 10_000;

/** The position of this device. The browser asks the person for permission. */
function locateDevice(): Promise<DevicePosition | LocateDeviceError> {
  // Browsers give the position only to pages loaded over https.
  if (!window.isSecureContext || !("geolocation" in navigator)) return Promise.resolve("insecure");
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ latitude: coords.latitude, longitude: coords.longitude }),
      (error) => resolve(errorOf(error)),
      { enableHighAccuracy: true, timeout: WAIT_MS, maximumAge: 60_000 },
    );
  });
}

function errorOf(error: GeolocationPositionError): LocateDeviceError {
  if (error.code === error.PERMISSION_DENIED) return "refused";
  return error.code === error.TIMEOUT ? "late" : "unknown";
}
