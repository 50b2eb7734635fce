import { Phone } from "lucide-react";
import { useText } from "../../kit/i18n.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Banner, BannerAction } from "../../ui/banner.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { groupCallState } from "./group-call-state.ts";

/** Says that a call is running in the group, and lets who may join it do so. */
export function GroupCallBar({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const canJoin = useClientState((state) => groupCallState(state, groupId) === "join");
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
