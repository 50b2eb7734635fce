import { ExternalLink } from "lucide-react";
import type { NoticeBody } from "@parley/core/chats/message-actions";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { useText } from "../i18n/i18n.ts";
import styles from "./notice-text.module.css";
import { RichText, webAddress } from "./rich-text.tsx";

/** The text of a notice, and the link to its page. */
export function NoticeText({ body }: { body: Pick<NoticeBody, "richText" | "externLink"> }) {
  const t = useText();
  const address = webAddress(body.externLink);
  return (
    <>
      {body.richText !== null && (
        <div className={styles.text} dir="auto">
          <RichText html={body.richText} />
        </div>
      )}
      {address !== null && (
        <a className={styles.link} href={address} target="_blank" rel="noopener noreferrer nofollow">
          <span className={styles.linkWords}>
            <span className={styles.host}>{new URL(address).host}</span>
            <span className={styles.address}>{address}</span>
          </span>
          <span className="visually-hidden">{t("notice.newTab")}</span>
          <ExternalLink {...ICON_PROPS} />
        </a>
      )}
    </>
  );
}
