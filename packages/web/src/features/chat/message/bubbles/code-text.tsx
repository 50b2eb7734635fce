import { Copy } from "lucide-react";
import { copyWithToast } from "../../../../kit/copy-text.ts";
import { useText } from "../../../../kit/i18n.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { splitCode } from "./code-parts.ts";
import styles from "./code-text.module.css";
import { PlainText } from "./message-text.tsx";

/** A text with code. Inside code nothing else is formatted. */
export function CodeText({ text }: { text: string }) {
  return splitCode(text).map((part, index) => {
    switch (part.kind) {
      case "text":
        return <PlainText key={index} text={part.text} />;
      case "inline":
        return (
          <code key={index} className={styles.code} dir="ltr" data-token={part.source}>
            {part.text}
          </code>
        );
      case "block":
        return <CodeBlock key={index} code={part.text} source={part.source} />;
    }
  });
}

function CodeBlock({ code, source }: { code: string; source: string }) {
  const t = useText();
  return (
    <div className={styles.block} dir="ltr" data-token={source}>
      <pre className={styles.lines}>
        <code>{code}</code>
      </pre>
      <IconButton
        label={t("code.copy")}
        size={32}
        tooltipSide="top"
        className={styles.copy}
        onClick={() => void copyWithToast(code)}
      >
        <Copy {...ICON_PROPS_16} />
      </IconButton>
    </div>
  );
}
