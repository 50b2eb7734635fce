import { useEffect, useState } from "react";
import { WifiOff } from "lucide-react";
import type { Connection } from "@parley/core/model/state";
import { useText } from "../kit/i18n.ts";
import { useClient, useClientState } from "../kit/use-client.ts";
import { Banner, BannerAction } from "../ui/banner.tsx";
import { ICON_PROPS_16 } from "../ui/icon-props.ts";
import { Spinner } from "../ui/spinner.tsx";

/** If the connection is established within this time, no bar is shown. */
const SHOW_AFTER_MS = 1_500;

/** Says that there is no connection and when the next attempt is, and lets the person reconnect now (interface §8). */
export function ConnectionBar() {
  const t = useText();
  const { session } = useClient();
  const connection = useClientState((state) => state.connection);
  const wasOnline = useWasOnline(connection.kind);
  const isSlow = useHasLasted(connection.kind === "connecting", SHOW_AFTER_MS);
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
              : wasOnline
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

/** Whether the client was online until now. After a failed connection attempt the server counts as unreachable. */
function useWasOnline(kind: Connection["kind"]): boolean {
  const [last, setLast] = useState({ kind, wasOnline: kind === "online" });
  if (last.kind === kind) return last.wasOnline;
  const wasOnline = kind === "online" || (last.wasOnline && kind !== "connecting");
  setLast({ kind, wasOnline });
  return wasOnline;
}

/** Outside of the live region, so that screen readers do not announce every second. */
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

/** Whether a condition has been true for this long. */
function useHasLasted(condition: boolean, ms: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setHasLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [condition, ms]);
  return condition && hasLasted;
}
