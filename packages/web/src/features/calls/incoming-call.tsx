import type { Call } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";

/** A call that rings here. */
export function IncomingCall({ call }: { readonly call: Call }) {
  const t = useText();
  const client = useClient();
  return (
    <section role="alertdialog">
      <Button onClick={() => client.calls.end()}>{t("call.reject")}</Button>
      <Button onClick={() => client.calls.accept(call.kind === "private" && call.mode === "video")}>
        {t("call.accept")}
      </Button>
    </section>
  );
}
