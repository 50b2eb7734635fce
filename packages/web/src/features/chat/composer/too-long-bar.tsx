import { useState } from "react";
import { FileText, Scissors } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import { textMaxOf } from "@parley/core/model/selectors";
import { splitText } from "@parley/core/model/chats/split-text";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { Row, Text } from "../../../ui/layout.tsx";
import { prepareFile } from "./attachments/prepare-file.ts";
import { fieldText } from "../../../kit/message-field/field-text.ts";
import type { MessageField } from "../../../kit/message-field/use-message-field.ts";
import styles from "./too-long-bar.module.css";

interface TooLongBarProps {
  chatKey: ChatKey;
  messageField: MessageField;
  /** Empties the field and the draft. */
  onClear: () => void;
  onSplit: (pieces: readonly string[], text: string) => void;
  onSent: () => void;
}

/** What can be done with a text that is longer than a message may be: it becomes a file, or several messages. */
export function TooLongBar({ chatKey, messageField, onClear, onSplit, onSent }: TooLongBarProps) {
  const t = useText();
  const client = useClient();
  const max = useClientState(textMaxOf);
  /** A second press would send everything twice. */
  const [isDone, setDone] = useState(false);

  const act = (use: (text: string) => void) => {
    const field = messageField.field.current;
    if (field === null || messageField.composing.current || isDone) return;
    setDone(true);
    use(fieldText(field));
    field.focus({ preventScroll: true });
  };
  const sendFile = () =>
    act((text) => {
      const file = new File([text], `${t("chat.longTextName")}.txt`, { type: "text/plain" });
      onClear();
      // Nothing is read of a file that is no picture, so this does not fail.
      void prepareFile(file, { isFile: true, imageMax: 0 }).then((prepared) =>
        client.chats.sendFiles(chatKey, [prepared]),
      );
      onSent();
    });
  const split = () =>
    act((text) => {
      onSplit(splitText(text, textMaxOf(client.getState())), text);
      onSent();
    });
  return (
    <Row gap={8} wrap className={styles.bar} role="group" aria-label={t("chat.tooLong", { max })}>
      <Text size={13} line={18} tone="danger" className={styles.text}>
        {t("chat.tooLong", { max })}
      </Text>
      <Row as="span" align="stretch" gap={8} wrap>
        <Button size="small" icon={<FileText {...ICON_PROPS_16} />} onClick={sendFile}>
          {t("chat.asTextFile")}
        </Button>
        <Button size="small" icon={<Scissors {...ICON_PROPS_16} />} onClick={split}>
          {t("chat.split")}
        </Button>
      </Row>
    </Row>
  );
}
