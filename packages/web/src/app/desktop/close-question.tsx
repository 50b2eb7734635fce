import { useState } from "react";
import type { DesktopBridge, DesktopInput } from "@parley/desktop/bridge/desktop-bridge";
import { endCloseQuestion } from "../../kit/settings/desktop-state.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { saveAll } from "../../kit/loading/save-before-unload.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Stack } from "../../ui/layout.tsx";
import styles from "./close-question.module.css";

/** Asks what closing the window means, and says what quitting would end. */
export function CloseQuestion({ bridge }: { bridge: DesktopBridge }) {
  const t = useText();
  const isInCall = useClientState(({ call }) => call !== null);
  const uploads = useClientState((state) => Object.keys(state.uploads).length);
  const [isRemembered, setRemembered] = useState(false);
  const answer = (action: DesktopInput<"confirmClose">["action"]) => {
    if (action === "quit") saveAll();
    // The question stays if the application does not do it.
    bridge.request("confirmClose", { action, isRemembered }).then(endCloseQuestion, reportError);
  };
  return (
    <Dialog
      isOpen
      onClose={endCloseQuestion}
      title={t("desktop.close.title")}
      description={t("desktop.close.body")}
      width={440}
      footer={
        <>
          <Button onClick={endCloseQuestion}>{t("app.cancel")}</Button>
          <Button onClick={() => answer("quit")}>{t("desktop.close.quit")}</Button>
          <Button variant="primary" onClick={() => answer("hide")}>
            {t("desktop.close.hide")}
          </Button>
        </>
      }
    >
      {(isInCall || uploads > 0) && (
        <Stack as="ul" gap={4} tone="danger" className={styles.losses}>
          {isInCall && <li>{t("desktop.close.call")}</li>}
          {uploads > 0 && <li>{t("desktop.close.uploads", { count: uploads })}</li>}
        </Stack>
      )}
      <Checkbox checked={isRemembered} onChange={setRemembered}>
        {t("desktop.close.remember")}
      </Checkbox>
    </Dialog>
  );
}
