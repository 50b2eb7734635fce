import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { CloudOff, MicOff, ShieldQuestion, TriangleAlert, VolumeX } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { Call, DeviceState } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { useHasCoarsePointer } from "../../ui/use-media.ts";
import { deviceProblemText } from "./call-notices.ts";
import { playBlocked, useIsBlocked } from "./call-stream.tsx";
import styles from "./call-banners.module.css";

/** The problems of a call, and what helps. Screen readers announce them. */
export function CallBanners({ call }: { readonly call: Call }) {
  const t = useText();
  const { calls } = useClient();
  const isBlocked = useIsBlocked();
  const isTouched = useHasCoarsePointer();
  const { local } = call;
  const isTalking = call.stage === "talking";
  const isPoor = call.kind === "private" && isTalking && call.peer.quality === "poor";
  const isSpokenMuted = isTalking && local.microphone.kind === "off" && local.isSpeaking;
  return (
    <Stack gap={8} align="center" role="status">
      {isBlocked && (
        <Line icon={VolumeX} action={<Act onClick={playBlocked}>{t("call.playAgain")}</Act>}>
          {t("call.playBlocked")}
        </Line>
      )}
      <DeviceBanner device="microphone" state={local.microphone} onRetry={() => calls.setMicrophone(true)} />
      <DeviceBanner device="camera" state={local.camera} onRetry={() => calls.setCamera(true)} />
      {call.isSocketLost && <Line icon={CloudOff}>{t("call.socketLost")}</Line>}
      {isPoor && <Line icon={TriangleAlert}>{t("call.poor")}</Line>}
      {isSpokenMuted && (
        <Line icon={MicOff}>{t(isTouched ? "call.mutedSpeakingTouched" : "call.mutedSpeaking")}</Line>
      )}
    </Stack>
  );
}

interface DeviceBannerProps {
  readonly device: "microphone" | "camera";
  readonly state: DeviceState;
  readonly onRetry: () => void;
}

function DeviceBanner({ device, state, onRetry }: DeviceBannerProps) {
  const t = useText();
  const isAsked = useIsAsked(device, state.kind === "opening");
  if (isAsked) return <Line icon={ShieldQuestion}>{t(`call.asks.${device}`)}</Line>;
  if (state.kind !== "failed") return null;
  return (
    <Line icon={TriangleAlert} action={<Act onClick={onRetry}>{t("app.retry")}</Act>}>
      {deviceProblemText(device, state.problem, t)}
    </Line>
  );
}

/** A device that was allowed before opens sooner, and nothing is asked. */
const ASKS_AFTER_MS = 600;

/** Whether the browser asks the person, as far as a page can know: it opens a device that nobody has allowed or forbidden for good. */
function useIsAsked(name: "microphone" | "camera", isOpening: boolean): boolean {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isOpening) return;
    let isCurrent = true;
    const look = async () => {
      const isOpen = await isUndecided(name);
      if (isCurrent) setAsked(isOpen);
    };
    const timer = window.setTimeout(() => void look(), ASKS_AFTER_MS);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
      setAsked(false);
    };
  }, [name, isOpening]);
  return isAsked;
}

/** Whether nobody has allowed or forbidden a device for good. Browsers that cannot tell ask each time. */
async function isUndecided(name: "microphone" | "camera"): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name })).state === "prompt";
  } catch {
    return true;
  }
}

interface LineProps {
  readonly icon: LucideIcon;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Line({ icon: Icon, action, children }: LineProps) {
  return (
    <Row gap={8} paddingX={12} paddingY={8} size={13} tone="stage" className={styles.banner}>
      <Icon {...ICON_PROPS_16} className={styles.icon} />
      <Text shrink>{children}</Text>
      {action}
    </Row>
  );
}

function Act({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className={styles.act} onClick={onClick}>
      {children}
    </button>
  );
}
