import { MapPin } from "lucide-react";
import { parseObject } from "@parley/core/model/parse-object";
import { locationContent } from "@parley/protocol/message";
import { isVisible, visibleOrEmpty } from "@parley/protocol/text";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../../kit/loading/lazy-component.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { Stack, Text } from "../../../../ui/layout.tsx";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import type { MessageKind } from "./kinds.tsx";
import styles from "./kinds.module.css";

/** A location: name, address and coordinates as far as known, and a link to a map. */
function LocationBubble(props: BubbleProps) {
  const t = useText();
  const parsed = locationContent.safeParse(parseObject(props.message.content));
  if (!parsed.success) return <UnsupportedBubble {...props} />;
  const { name, address, latitude, longitude } = parsed.data;
  const point = latitude === null || longitude === null ? null : { latitude, longitude };
  return (
    <BubbleFrame {...props} variant="card">
      <span className={styles.card}>
        <span className={styles.icon}>
          <MapPin {...ICON_PROPS} />
        </span>
        <Stack as="span" grow>
          <Text line={20} weight="name" dir="auto">
            {visibleOrEmpty(name.trim()) || t("place.unnamed")}
          </Text>
          {isVisible(address) && (
            <Text size={12} line={18} className={styles.line} dir="auto">
              {address}
            </Text>
          )}
          {point !== null && (
            <Text size={12} line={18} className={styles.line} dir="ltr">
              {coordinatesText(point)}
            </Text>
          )}
        </Stack>
      </span>
      <a
        className={styles.link}
        href={point === null ? mapSearchUrl(parsed.data) : mapUrl(point)}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t("place.map")}
      </a>
    </BubbleFrame>
  );
}

export const location: MessageKind = {
  Bubble: LocationBubble,
  menuItem: {
    icon: MapPin,
    label: "compose.place",
    Dialog: lazyComponent(() => import("./send-location-dialog.tsx").then((part) => part.SendLocationDialog)),
  },
};

interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A location described by text only. */
interface AddressText {
  readonly name: string;
  readonly address: string;
}

/** The coordinates as text, such as "31.23042, 121.47370". */
export function coordinatesText({ latitude, longitude }: GeoPoint): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

const MAP_URL = "https://www.openstreetmap.org";

/** The URL of a public map page with a pin. */
export function mapUrl({ latitude, longitude }: GeoPoint): string {
  const center = `${latitude.toFixed(6)}/${longitude.toFixed(6)}`;
  const marker = `mlat=${latitude.toFixed(6)}&mlon=${longitude.toFixed(6)}`;
  return `${MAP_URL}/?${marker}#map=16/${center}`;
}

/** The URL of a search on that map, for a location without coordinates. */
export function mapSearchUrl({ name, address }: AddressText): string {
  const query = [name.trim(), address.trim()].filter(Boolean).join(" ");
  return `${MAP_URL}/search?query=${encodeURIComponent(query.toWellFormed())}`;
}
