import { Link } from "lucide-react";
import type { FoundMessage } from "@parley/core/client-api";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { splitLinks } from "../../message/bubbles/link-parts.ts";
import { HitDetails, ShowButton } from "./file-list.tsx";
import styles from "./media-panel.module.css";

interface LinkListProps {
  hits: readonly FoundMessage[];
  onShow: (hit: FoundMessage) => void;
}

/** Every link of the messages. A message that was found and has none is left out. */
export function LinkList({ hits, onShow }: LinkListProps) {
  return (
    <ul className={styles.list}>
      {hits.flatMap((hit) =>
        linksOf(hit).map((href) => (
          <li key={`${hit.message.key} ${href}`} className={styles.item}>
            <a className={styles.itemOpen} href={href} target="_blank" rel="noopener noreferrer nofollow">
              <span className={styles.linkIcon}>
                <Link {...ICON_PROPS} />
              </span>
              <span className={styles.itemText}>
                <bdi className={styles.url}>{href}</bdi>
                <HitDetails hit={hit} />
              </span>
            </a>
            <ShowButton onShow={() => onShow(hit)} />
          </li>
        )),
      )}
    </ul>
  );
}

/** The links of a message, each once. */
function linksOf({ message }: FoundMessage): readonly string[] {
  const links = splitLinks(message.content).flatMap((part) => (part.kind === "link" ? [part.href] : []));
  return [...new Set(links)];
}
