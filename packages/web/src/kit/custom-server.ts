import { useState } from "react";
import type { SessionActions } from "@parley/core/client-api";
import { failureText } from "./failure-text.ts";
import { useText } from "./i18n.ts";
import { useClient } from "./use-client.ts";

type Answer = Awaited<ReturnType<SessionActions["setCustomServer"]>>;

type Probe =
  | { readonly kind: "idle" }
  | { readonly kind: "checking" }
  | { readonly kind: "answers" }
  | { readonly kind: "refused"; readonly answer: Extract<Answer, { ok: false }> }
  | { readonly kind: "empty" };

/**
 * The custom server box of login and register. Open means used: then an address is required (spec §5) and is probed before it is
 * kept; closing the box goes back to the page's own server. `onServer` is told after each change.
 */
export function useCustomServer(onServer: () => void = () => undefined) {
  const t = useText();
  const { session } = useClient();
  const [isOpen, setOpen] = useState(() => session.customServer() !== "");
  const [address, setAddress] = useState(() => session.customServer());
  const [probe, setProbe] = useState<Probe>({ kind: "idle" });

  /** True when the server in use is the one wanted. */
  const finish = async (): Promise<boolean> => {
    const wanted = isOpen ? address.trim() : "";
    if (isOpen && wanted === "") {
      setProbe({ kind: "empty" });
      return false;
    }
    if (wanted === session.customServer()) return true;
    setProbe({ kind: "checking" });
    const answer = await session.setCustomServer(wanted);
    if (!answer.ok) {
      setProbe({ kind: "refused", answer });
      return false;
    }
    // What is kept is the origin alone.
    if (wanted !== "") setAddress(session.customServer());
    setProbe({ kind: wanted === "" ? "idle" : "answers" });
    onServer();
    return true;
  };

  const error = (): string | null => {
    if (probe.kind === "empty") return t("server.required");
    if (probe.kind !== "refused") return null;
    const { answer } = probe;
    return "problem" in answer ? t(`server.${answer.problem}`) : failureText(answer.failure, t);
  };

  return {
    isOpen,
    address,
    isChecking: probe.kind === "checking",
    error: error(),
    hint: t(
      probe.kind === "checking" ? "server.checking" : probe.kind === "answers" ? "server.ok" : "server.hint",
    ),
    change(text: string) {
      setAddress(text);
      setProbe({ kind: "idle" });
    },
    toggle() {
      setProbe({ kind: "idle" });
      setOpen(!isOpen);
      if (isOpen && session.customServer() !== "") void session.setCustomServer("").then(onServer);
    },
    finish,
  };
}
