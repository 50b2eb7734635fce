import { useText } from "../../kit/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { About } from "./about.tsx";

/** The section "About" of the settings in a dialog of its own. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Dialog isOpen onClose={onClose} title={t("menu.about")} width={400}>
      <About />
    </Dialog>
  );
}
