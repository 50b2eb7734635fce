import { useText } from "../../../../kit/i18n.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";

/** A placeholder for a kind that this client cannot show. */
export function UnsupportedBubble(props: BubbleProps) {
  const t = useText();
  return (
    <BubbleFrame {...props} variant="faint">
      {t("chat.unsupported")}
    </BubbleFrame>
  );
}
