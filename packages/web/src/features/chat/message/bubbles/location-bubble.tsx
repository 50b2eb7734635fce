import { MapPin } from "lucide-react";
import { locationContent } from "@parley/protocol/message";
import { parseObject } from "@parley/core/model/parse-object";
import { useText } from "../../../../kit/i18n.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import { coordinatesText, mapSearchUrl, mapUrl } from "./geo-point.ts";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";
import styles from "./card-bubbles.module.css";

/** A place: what it is called, where it is, if that is known, and a way to a map. */
export function LocationBubble(props: BubbleProps) {
  const t = useText();
  const read = locationContent.safeParse(parseObject(props.message.content));
  if (!read.success) return <UnsupportedBubble {...props} />;
  const { name, address, latitude, longitude } = read.data;
  const at = latitude === null || longitude === null ? null : { latitude, longitude };
  return (
    <BubbleFrame {...props} look="card">
      <span className={styles.card}>
        <span className={styles.round}>
          <MapPin {...ICON_PROPS} />
        </span>
        <span className={styles.facts}>
          <span className={styles.title} dir="auto">
            {name.trim() || t("place.unnamed")}
          </span>
          {address.trim() !== "" && (
            <span className={styles.line} dir="auto">
              {address}
            </span>
          )}
          {at !== null && (
            <span className={styles.line} dir="ltr">
              {coordinatesText(at)}
            </span>
          )}
        </span>
      </span>
      <a
        className={styles.link}
        href={at === null ? mapSearchUrl(read.data) : mapUrl(at)}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t("place.map")}
      </a>
    </BubbleFrame>
  );
}
