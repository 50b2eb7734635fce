import { useEffect, useState } from "react";
import { WifiOff } from "lucide-react";
import type { Connection } from "@parley/core/model/state";
import { useText } from "../kit/i18n.ts";
import { useClient, useClientState } from "../kit/use-client.ts";
import { Banner, BannerAction } from "../ui/banner.tsx";
import { ICON_PROPS_16 } from "../ui/icon-props.ts";
import { Spinner } from "../ui/spinner.tsx";

/** A connection that comes up within this says nothing. */
const SHOW_AFTER_MS = 1_500;

/** Tells that messages do not flow, when the next try comes, and lets the person try now (interface §8). */
export function ConnectionBar() {
  const t = useText();
  const { session } = useClient();
  const connection = useClientState((state) => state.connection);
  const wasUp = useWasUp(connection.kind);
  const isSlow = useAfter(connection.kind === "connecting", SHOW_AFTER_MS);
  if (connection.kind === "waiting" || connection.kind === "offline") {
    const { kind, retryAt } = connection;
    return (
      <Banner
        icon={kind === "waiting" ? <Spinner size={16} /> : <WifiOff {...ICON_PROPS_16} />}
        action={
          <BannerAction onClick={() => session.reconnectNow()}>{t("connection.retryNow")}</BannerAction>
        }
      >
        <output>
          {t(
            kind === "offline"
              ? "connection.offline"
              : wasUp
                ? "connection.reconnecting"
                : "connection.unreachable",
          )}
        </output>
        {retryAt !== null && <Countdown until={retryAt} />}
      </Banner>
    );
  }
  if (!isSlow) return null;
  return (
    <Banner icon={<Spinner size={16} />}>
      <output>{t("connection.connecting")}</output>
    </Banner>
  );
}

/** Whether the line was up until now; once a try has failed the server is away. */
function useWasUp(kind: Connection["kind"]): boolean {
  const [known, setKnown] = useState({ kind, wasUp: kind === "online" });
  if (known.kind === kind) return known.wasUp;
  const wasUp = kind === "online" || (known.wasUp && kind !== "connecting");
  setKnown({ kind, wasUp });
  return wasUp;
}

/** Outside the announced words: nobody wants to hear every second. */
function Countdown({ until }: { until: number }) {
  const t = useText();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  return <> · {t("connection.retryIn", { seconds })}</>;
}

/** Whether a condition has held for so long. */
function useAfter(condition: boolean, ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setOver(true), ms);
    return () => {
      clearTimeout(timer);
      setOver(false);
    };
  }, [condition, ms]);
  return condition && isOver;
}
