import { useState } from "react";
import type { FoundMessage, MediaKind } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { showMessage } from "../../../../kit/show-message.ts";
import { Tabs } from "../../../../ui/tabs.tsx";
import { PanelFrame } from "../panel-frame.tsx";
import type { PanelProps } from "../panel-frame.tsx";
import { FileList } from "./file-list.tsx";
import { LinkList } from "./link-list.tsx";
import { MediaList } from "./media-list.tsx";
import { PictureList } from "./picture-list.tsx";
import styles from "./media-panel.module.css";

interface MediaPanelProps extends Omit<PanelProps, "onSearch" | "onMedia"> {
  chatKey: ChatKey;
  onBack: () => void;
}

const LISTS = { pictures: PictureList, files: FileList, links: LinkList } as const;
const KINDS = ["pictures", "files", "links"] as const satisfies readonly MediaKind[];

/** The pictures, files and links of a chat, in place of its side panel. */
export function MediaPanel({ chatKey, onBack, ...frame }: MediaPanelProps) {
  const t = useText();
  const [kind, setKind] = useState<MediaKind>("pictures");
  const show = ({ key, message }: FoundMessage) => {
    if (message.id === null) return;
    // A panel that covers the conversation would hide what is shown.
    if (!frame.isDocked) frame.onClose();
    showMessage(key, message.id);
  };
  return (
    <PanelFrame title={t("media.title")} onBack={onBack} {...frame}>
      <div className={styles.tabs}>
        <Tabs
          label={t("media.title")}
          value={kind}
          onChange={setKind}
          tabs={KINDS.map((value) => {
            const List = LISTS[value];
            return {
              value,
              text: t(`media.tab.${value}`),
              content: (
                <MediaList chatKey={chatKey} kind={value}>
                  {(hits) => <List hits={hits} onShow={show} />}
                </MediaList>
              ),
            };
          })}
        />
      </div>
    </PanelFrame>
  );
}
