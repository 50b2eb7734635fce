import { Phone, Video } from "lucide-react";
import { useText } from "../../kit/i18n/i18n.ts";
import { usePerson } from "../../kit/people/person.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";

/** Call a friend with voice or with video. */
export function CallButtons({ userId }: { userId: number }) {
  const t = useText();
  const { calls } = useClient();
  if (usePerson(userId).relation !== "friend") return null;
  return (
    <>
      <IconButton label={t("call.voice")} onClick={() => calls.start(userId, "voice")}>
        <Phone {...ICON_PROPS} />
      </IconButton>
      <IconButton label={t("call.video")} onClick={() => calls.start(userId, "video")}>
        <Video {...ICON_PROPS} />
      </IconButton>
    </>
  );
}
