import { Phone } from "lucide-react";
import { hasGroupCall } from "@parley/core/model/selectors";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Banner, BannerAction } from "../../ui/banner.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { groupCallState } from "../../kit/chats/use-group-call.ts";

/** Says that a call in which I am not is running in the group, and lets who may join it do so. */
export function GroupCallBar({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const isElsewhere = useClientState(
    (state) =>
      hasGroupCall(state, groupId) && !(state.call?.kind === "group" && state.call.groupId === groupId),
  );
  const canJoin = useClientState((state) => groupCallState(state, groupId) === "join");
  if (!isElsewhere) return null;
  return (
    <Banner
      icon={<Phone {...ICON_PROPS_16} />}
      tone="info"
      action={
        canJoin && (
          <BannerAction onClick={() => client.calls.joinGroup(groupId)}>{t("groupCall.join")}</BannerAction>
        )
      }
    >
      {t("groupCall.running")}
    </Banner>
  );
}
