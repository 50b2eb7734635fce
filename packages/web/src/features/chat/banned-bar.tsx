import { CircleAlert } from "lucide-react";
import { useBanned } from "../../kit/banned.ts";
import { Banner } from "../../ui/banner.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";

/** Above the chat with somebody whom an administrator has banned. */
export function BannedBar({ userId }: { userId: number }) {
  const sentence = useBanned(userId);
  return sentence === null ? null : <Banner icon={<CircleAlert {...ICON_PROPS_16} />}>{sentence}</Banner>;
}
