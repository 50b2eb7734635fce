import { MapPin } from "lucide-react";
import { locationContent } from "@parley/protocol/message";
import { isVisible, visibleOrEmpty } from "@parley/protocol/text";
import { parseObject } from "@parley/core/model/parse-object";
import { useText } from "../../../../kit/i18n.ts";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { BubbleFrame } from "../bubbles/bubble-frame.tsx";
import type { BubbleProps } from "../bubbles/bubble-frame.tsx";
import { coordinatesText, mapSearchUrl, mapUrl } from "./geo-point.ts";
import { UnsupportedBubble } from "../bubbles/unsupported-bubble.tsx";
import type { MessageKind } from "./message-kind.ts";
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
        <span className={styles.details}>
          <span className={styles.title} dir="auto">
            {visibleOrEmpty(name.trim()) || t("place.unnamed")}
          </span>
          {isVisible(address) && (
            <span className={styles.line} dir="auto">
              {address}
            </span>
          )}
          {point !== null && (
            <span className={styles.line} dir="ltr">
              {coordinatesText(point)}
            </span>
          )}
        </span>
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
