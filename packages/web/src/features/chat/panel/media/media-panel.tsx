import { useState } from "react";
import type { MediaKind } from "@parley/core/client-api";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { showMessage } from "../../../../kit/show-message.ts";
import { Tabs } from "../../../../ui/tabs.tsx";
import { openViewer } from "../../message/media/open-viewer.ts";
import type { MediaPages } from "../../message/media/use-media-pages.ts";
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

const KINDS = ["pictures", "files", "links"] as const satisfies readonly MediaKind[];

/** The pictures, files and links of a chat, in place of its side panel. */
export function MediaPanel({ chatKey, onBack, ...frame }: MediaPanelProps) {
  const t = useText();
  const [kind, setKind] = useState<MediaKind>("pictures");
  const jump = ({ id }: ChatMessage) => {
    if (id === null) return;
    // A panel that covers the conversation would hide what is shown.
    if (!frame.isDocked) frame.onClose();
    showMessage(chatKey, id);
  };
  const renderList = (messages: readonly ChatMessage[], pages: MediaPages) => {
    if (kind === "files") return <FileList chatKey={chatKey} messages={messages} onJump={jump} />;
    if (kind === "links") return <LinkList chatKey={chatKey} messages={messages} onJump={jump} />;
    const open = ({ key }: ChatMessage) => openViewer({ chatKey, messageKey: key, pages });
    return <PictureList messages={messages} onOpen={open} />;
  };
  return (
    <PanelFrame title={t("media.title")} onBack={onBack} {...frame}>
      <div className={styles.tabs}>
        <Tabs
          label={t("media.title")}
          value={kind}
          onChange={setKind}
          tabs={KINDS.map((value) => ({
            value,
            text: t(`media.tab.${value}`),
            content: (
              <MediaList chatKey={chatKey} kind={value}>
                {renderList}
              </MediaList>
            ),
          }))}
        />
      </div>
    </PanelFrame>
  );
}
