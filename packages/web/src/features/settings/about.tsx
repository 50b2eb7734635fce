import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import styles from "./settings.module.css";

/** Name, version and licence of the product, and links to its API documentation and to the packages it is made with. */
export function About() {
  const t = useText();
  const client = useClient();
  return (
    <Stack gap={4} paddingY={24} textAlign="center">
      <Text as="p" size={20} weight="title">
        {t("app.name")}
      </Text>
      <p>{t("settings.version", { version: __APP_VERSION__ })}</p>
      <p className={styles.hint}>{t("settings.licence", { name: "Apache 2.0" })}</p>
      <Row as="p" wrap align="stretch" justify="center" className={styles.links}>
        <a href={client.fileUrl("/api/docs")} target="_blank" rel="noopener noreferrer">
          {t("settings.apiDocs")}
        </a>
        <a href="/third-party-notices.txt" target="_blank" rel="noopener noreferrer">
          {t("settings.packages")}
        </a>
        <a href="/third-party-licences.txt" target="_blank" rel="noopener noreferrer">
          {t("settings.packageLicences")}
        </a>
      </Row>
    </Stack>
  );
}

/** The section "About" of the settings in a dialog of its own. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Dialog isOpen onClose={onClose} title={t("menu.about")} width={400}>
      <About />
    </Dialog>
  );
}
