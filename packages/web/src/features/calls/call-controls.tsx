import type { ReactNode } from "react";
import {
  Expand,
  Mic,
  MicOff,
  Minimize2,
  MonitorUp,
  MonitorX,
  Phone,
  PictureInPicture2,
  Shrink,
  Video,
  VideoOff,
} from "lucide-react";
import type { Call, DeviceState } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { canFillScreen, minimiseCall, setFullScreen, useCallWindow } from "./call-window.ts";
import { hasPictureInPicture, togglePictureInPicture, usePictureInPicture } from "./picture-in-picture.ts";
import { DeviceMenu } from "./device-menu.tsx";
import { RoundButton } from "./round-button.tsx";
import styles from "./call-controls.module.css";

interface CallControlsProps {
  readonly call: Call;
  /** Writes the names below the buttons. */
  readonly isLabelled?: boolean;
  /** Lets the person share the screen, where the browser can do that. */
  readonly hasScreen?: boolean;
  /** Further buttons, before the one that hangs up. */
  readonly children?: ReactNode;
}

/** The round buttons of a call: microphone, camera, screen, devices, further ones, and the one that hangs up. */
export function CallControls({ call, isLabelled = false, hasScreen = true, children }: CallControlsProps) {
  const { local, stage } = call;
  const isTalking = stage === "talking";
  return (
    <div className={classNames(styles.controls, isLabelled && styles.labelled)}>
      <MicrophoneButton state={local.microphone} isLabelled={isLabelled} />
      <CameraButton
        state={local.camera}
        isLabelled={isLabelled}
        isExpected={call.kind === "group" || call.mode === "video"}
      />
      {isTalking && hasScreen && canShareScreen() && (
        <ScreenButton state={local.screen} isLabelled={isLabelled} />
      )}
      <DeviceMenu isLabelled={isLabelled} />
      {children}
      <EndButton call={call} isLabelled={isLabelled} />
    </div>
  );
}

interface DeviceButtonProps<State> {
  readonly state: State;
  readonly isLabelled?: boolean;
  readonly size?: 32 | 48;
}

/** Turns the microphone on or off. */
export function MicrophoneButton({ state, isLabelled = false, size = 48 }: DeviceButtonProps<DeviceState>) {
  const t = useText();
  const client = useClient();
  const isOn = isInUse(state);
  const Icon = isOn ? Mic : MicOff;
  return (
    <RoundButton
      label={t(isOn ? "call.mute" : "call.unmute")}
      keys="M"
      isLabelled={isLabelled}
      tone={isOn ? "plain" : "off"}
      hasProblem={state.kind === "failed"}
      size={size}
      aria-busy={state.kind === "opening" || undefined}
      onClick={() => client.calls.setMicrophone(!isOn)}
    >
      <Icon {...ICON_PROPS_24} />
    </RoundButton>
  );
}

interface CameraButtonProps extends DeviceButtonProps<DeviceState> {
  /** A camera that is off stands out. In a voice call it is off anyway. */
  readonly isExpected: boolean;
}

function CameraButton({ state, isLabelled = false, isExpected }: CameraButtonProps) {
  const t = useText();
  const client = useClient();
  const isOn = isInUse(state);
  const Icon = isOn ? Video : VideoOff;
  return (
    <RoundButton
      label={t(isOn ? "call.cameraOff" : "call.cameraOn")}
      keys="V"
      isLabelled={isLabelled}
      tone={isOn || !isExpected ? "plain" : "off"}
      hasProblem={state.kind === "failed"}
      aria-busy={state.kind === "opening" || undefined}
      onClick={() => client.calls.setCamera(!isOn)}
    >
      <Icon {...ICON_PROPS_24} />
    </RoundButton>
  );
}

function ScreenButton({ state, isLabelled = false }: DeviceButtonProps<Call["local"]["screen"]>) {
  const t = useText();
  const client = useClient();
  const isOn = state !== "off";
  const Icon = isOn ? MonitorX : MonitorUp;
  return (
    <RoundButton
      label={t(isOn ? "call.screenOff" : "call.screenOn")}
      isLabelled={isLabelled}
      tone={isOn ? "off" : "plain"}
      aria-busy={state === "opening" || undefined}
      onClick={() => client.calls.setScreen(!isOn)}
    >
      <Icon {...ICON_PROPS_24} />
    </RoundButton>
  );
}

/** Ends one's own part in the call: what that is called depends on its stage. */
export function EndButton({ call, isLabelled = false, size = 48 }: EndButtonProps) {
  const t = useText();
  const client = useClient();
  const isWaiting = call.stage === "opening" || call.stage === "calling";
  const label = t(isWaiting ? "call.cancel" : call.kind === "group" ? "call.leave" : "call.hangUp");
  return (
    <RoundButton
      label={label}
      keys="Ctrl+Shift+H"
      isLabelled={isLabelled}
      tone="end"
      size={size}
      onClick={() => client.calls.end()}
    >
      <Phone {...ICON_PROPS_24} className={styles.hangUp} />
    </RoundButton>
  );
}

interface EndButtonProps {
  readonly call: Call;
  readonly isLabelled?: boolean;
  readonly size?: 32 | 48;
}

interface WindowButtonsProps {
  readonly hasFullScreen?: boolean;
  /** There is a picture for the window of the browser. */
  readonly hasPicture?: boolean;
}

/** The buttons at the top of a call: window of the browser, small window, and full screen. */
export function WindowButtons({ hasFullScreen = true, hasPicture = false }: WindowButtonsProps) {
  const t = useText();
  const isFullScreen = useCallWindow((window) => window.isFullScreen);
  const Icon = isFullScreen ? Shrink : Expand;
  return (
    <span className={styles.window}>
      {hasPicture && <PictureInPictureButton />}
      <IconButton label={t("call.minimise")} size={36} onClick={minimiseCall}>
        <Minimize2 {...ICON_PROPS} />
      </IconButton>
      {hasFullScreen && canFillScreen() && (
        <IconButton
          label={t(isFullScreen ? "call.leaveFullScreen" : "call.fullScreen")}
          size={36}
          onClick={() => void setFullScreen(!isFullScreen)}
        >
          <Icon {...ICON_PROPS} />
        </IconButton>
      )}
    </span>
  );
}

/** Shows the picture in a window of the browser, above those of other programs, where the browser has such a window. */
export function PictureInPictureButton({ size = 36 }: { readonly size?: 32 | 36 }) {
  const t = useText();
  const state = usePictureInPicture((picture) => picture.state);
  if (!hasPictureInPicture()) return null;
  const isOn = state === "on";
  return (
    <IconButton
      label={t(isOn ? "call.leavePictureInPicture" : "call.pictureInPicture")}
      size={size}
      isOn={isOn}
      aria-busy={state === "opening" || undefined}
      onClick={togglePictureInPicture}
    >
      <PictureInPicture2 {...ICON_PROPS} />
    </IconButton>
  );
}

/** Whether a device delivers, or will in a moment. */
export function isInUse({ kind }: DeviceState): boolean {
  return kind === "on" || kind === "opening";
}

function canShareScreen(): boolean {
  const { mediaDevices } = navigator as Partial<Navigator>;
  return mediaDevices !== undefined && "getDisplayMedia" in mediaDevices;
}
