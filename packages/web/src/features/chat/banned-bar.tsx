import { CircleAlert } from "lucide-react";
import { useBanned } from "../../kit/people/person.ts";
import { Banner } from "../../ui/banner.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";

/** A banner above the chat with a person whom an administrator has banned. */
export function BannedBar({ userId }: { userId: number }) {
  const text = useBanned(userId);
  return text === null ? null : <Banner icon={<CircleAlert {...ICON_PROPS_16} />}>{text}</Banner>;
}
