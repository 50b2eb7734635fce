import { useText } from "../../kit/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { About } from "./about.tsx";

/** The same words as in the settings, by themselves. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Dialog isOpen onClose={onClose} title={t("menu.about")} width={400}>
      <About />
    </Dialog>
  );
}
