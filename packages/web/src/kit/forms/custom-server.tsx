import { useEffect, useState } from "react";
import { create } from "zustand";
import type { SessionActions } from "@parley/core/client-api";
import { TextField, type TextFieldProps } from "../../ui/field.tsx";
import { desktopBridge } from "../settings/desktop.ts";
import { failureText } from "../i18n/failure-text.ts";
import { useText } from "../i18n/i18n.ts";
import { useClient } from "../loading/use-client.ts";

type SetServerResult = Awaited<ReturnType<SessionActions["setCustomServer"]>>;

type ServerCheck =
  | { readonly kind: "idle" }
  | { readonly kind: "checking" }
  | { readonly kind: "reachable" }
  | { readonly kind: "refused"; readonly result: Extract<SetServerResult, { ok: false }> }
  | { readonly kind: "empty" };

/**
 * The custom server box of login and registration. While it is open an address is required (spec §5), and it is checked before it is
 * saved. Closing the box goes back to the page's own server. The page of the desktop application has none: there the box cannot be closed
 * before a server is saved, and closing it keeps that one. `onServerChange` is called after each change.
 */
export function useCustomServer(onServerChange: () => void = () => undefined) {
  const t = useText();
  const { session } = useClient();
  const isDesktop = desktopBridge() !== null;
  const [isOpen, setOpen] = useState(() => isDesktop !== (session.customServer() !== ""));
  const [address, setAddress] = useState(() => session.customServer());
  const [check, setCheck] = useState<ServerCheck>({ kind: "idle" });
  const offer = useServerOffer();
  const [taken, setTaken] = useState<typeof offer>(null);
  if (offer !== null && offer !== taken) {
    setTaken(offer);
    setOpen(true);
    setAddress(offer.address);
    setCheck({ kind: "idle" });
  }
  useEffect(() => {
    if (taken !== null) claimServerOffer(taken);
  }, [taken]);

  /** Switches to the server of the box, if it is another one; true if that server is in use now. */
  const applyServer = async (): Promise<boolean> => {
    const requested = isOpen ? address.trim() : isDesktop ? session.customServer() : "";
    if (isOpen && requested === "") {
      setCheck({ kind: "empty" });
      return false;
    }
    if (requested === session.customServer()) return true;
    setCheck({ kind: "checking" });
    const result = await session.setCustomServer(requested);
    if (!result.ok) {
      setCheck({ kind: "refused", result });
      return false;
    }
    // Only the origin is saved.
    if (requested !== "") setAddress(session.customServer());
    setCheck({ kind: requested === "" ? "idle" : "reachable" });
    onServerChange();
    return true;
  };

  const error = (): string | null => {
    if (check.kind === "empty") return t("server.required");
    if (check.kind !== "refused") return null;
    const { result } = check;
    return "problem" in result ? t(`server.${result.problem}`) : failureText(result.failure, t);
  };

  return {
    isOpen,
    /** Whether the box cannot be closed, because there is no server without it. */
    isRequired: isDesktop && session.customServer() === "",
    /** What the box is called. */
    name: t(isDesktop ? "desktop.server.title" : "server.custom"),
    address,
    isChecking: check.kind === "checking",
    error: error(),
    hint: t(
      check.kind === "checking"
        ? "server.checking"
        : check.kind === "reachable"
          ? "server.ok"
          : isDesktop
            ? "desktop.server.hint"
            : "server.hint",
    ),
    change(text: string) {
      setAddress(text);
      setCheck({ kind: "idle" });
    },
    toggle() {
      setCheck({ kind: "idle" });
      setOpen(!isOpen);
      if (isDesktop) setAddress(session.customServer());
      else if (isOpen && session.customServer() !== "") void session.setCustomServer("").then(onServerChange);
    },
    applyServer,
  };
}

interface ServerAddressFieldProps extends Pick<TextFieldProps, "start" | "onBlur"> {
  server: ReturnType<typeof useCustomServer>;
}

/** The field of the custom server box. The server is checked when the field is left. */
export function ServerAddressField({ server, ...field }: ServerAddressFieldProps) {
  const t = useText();
  return (
    <TextField
      name="server"
      label={t("server.address")}
      isLabelHidden
      type="url"
      inputMode="url"
      autoComplete="url"
      spellCheck={false}
      placeholder="https://"
      value={server.address}
      error={server.error}
      hint={server.hint}
      onChange={(event) => server.change(event.currentTarget.value)}
      onBlur={() => void server.applyServer()}
      {...field}
    />
  );
}

/** The address of a server that a link has brought. */
interface ServerOffer {
  readonly address: string;
}

const useStore = create<{ readonly offer: ServerOffer | null }>(() => ({ offer: null }));

/** Fills the address of a server into the box of login or registration, now or when one of them is shown next. */
export function offerServer(address: string): void {
  useStore.setState({ offer: { address } });
}

/** Marks an offer as taken by the box that shows it. A newer one stays. */
function claimServerOffer(claimed: ServerOffer): void {
  if (useStore.getState().offer === claimed) useStore.setState({ offer: null });
}

/** The offer that no box has taken yet. */
function useServerOffer(): ServerOffer | null {
  return useStore(({ offer }) => offer);
}
