import type { ComponentPropsWithRef, ReactNode } from "react";
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
  SlidersHorizontal,
  Video,
  VideoOff,
} from "lucide-react";
import type { Call, DeviceState } from "@parley/core/model/calls/call";
import { DEFAULT_DEVICE, deviceItems, useCallDevices } from "../../kit/settings/call-devices.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { MenuSwitch } from "../../ui/menu-switch.tsx";
import { Menu, MenuRadioGroup, MenuSeparator, SubMenu } from "../../ui/menu.tsx";
import { hasPictureInPicture, togglePictureInPicture, usePictureInPicture } from "./call-stream.tsx";
import { canFillScreen, minimiseCall, setFullScreen, useCallWindow } from "./call-window.ts";
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
    <Row
      gap={isLabelled ? 4 : 12}
      align="start"
      justify="center"
      className={isLabelled ? styles.labelled : undefined}
    >
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
    </Row>
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
    <Row as="span" gap={4} align="stretch">
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
    </Row>
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

/** A menu in which the person chooses devices, and how sound is processed. */
function DeviceMenu({ isLabelled = false }: { readonly isLabelled?: boolean }) {
  const t = useText();
  return (
    <Menu
      trigger={
        <RoundButton label={t("call.devices")} isLabelled={isLabelled}>
          <SlidersHorizontal {...ICON_PROPS_24} />
        </RoundButton>
      }
      side="top"
      align="center"
      offset={8}
      width={240}
    >
      <DeviceItems />
    </Menu>
  );
}

/** Mounted while the menu is open. */
function DeviceItems() {
  const t = useText();
  const known = useCallDevices();
  if (known === null) return null;
  const { kinds, devices, chosen, processing, choose, process } = known;
  return (
    <>
      {kinds.map((kind) => (
        <SubMenu key={kind} label={t(`call.${kind}`)} width={280}>
          <MenuRadioGroup
            label={t(`call.${kind}`)}
            value={chosen[kind] ?? DEFAULT_DEVICE}
            items={deviceItems(kind, devices, t)}
            onChange={(value) => choose(kind, value)}
          />
        </SubMenu>
      ))}
      <MenuSeparator />
      <MenuSwitch
        isOn={processing.noiseSuppression}
        onChange={(noiseSuppression) => process({ noiseSuppression })}
      >
        {t("call.noiseSuppression")}
      </MenuSwitch>
      <MenuSwitch
        isOn={processing.echoCancellation}
        onChange={(echoCancellation) => process({ echoCancellation })}
      >
        {t("call.echoCancellation")}
      </MenuSwitch>
    </>
  );
}

interface RoundButtonProps extends Omit<ComponentPropsWithRef<"button">, "className" | "aria-label"> {
  /** Name for screen readers, and the tooltip unless it is written below the button. */
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  /** Writes the name below the button. */
  readonly isLabelled?: boolean;
  /** `off`: a device that is off stands out; `end` and `accept` are red and green. */
  readonly tone?: "plain" | "off" | "end" | "accept";
  /** Something is wrong with what it controls. */
  readonly hasProblem?: boolean;
  readonly size?: 32 | 48;
}

/** A round button with an icon, on the dark ground of calls. */
export function RoundButton(props: RoundButtonProps) {
  const { label, keys, isLabelled = false, tone = "plain", hasProblem = false, size = 48, ...rest } = props;
  const { children, type = "button", ...attributes } = rest;
  const t = useText();
  const tip = keys === undefined ? label : t("call.withKey", { label, key: keys });
  return (
    <Stack as="span" gap={8} align="center" className={styles.slot}>
      <button
        {...attributes}
        type={type}
        aria-label={label}
        data-tip={isLabelled && keys === undefined ? undefined : tip}
        data-tip-side="top"
        className={classNames(styles.round, styles[`s${size}`], styles[tone])}
      >
        {children}
        {hasProblem && <span className={styles.problem}>!</span>}
      </button>
      {isLabelled && (
        <Text size={12} line={16} textAlign="center" tone="stage" className={styles.label} aria-hidden="true">
          {label}
        </Text>
      )}
    </Stack>
  );
}
