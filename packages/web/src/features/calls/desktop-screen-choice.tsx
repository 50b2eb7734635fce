import { useEffect, useRef, useState } from "react";
import { AppWindow, Monitor } from "lucide-react";
import type { ScreenRequest, ScreenSource } from "../../kit/settings/desktop.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Box, Text } from "../../ui/layout.tsx";
import { answerScreenRequest } from "./screen-request.ts";
import styles from "./desktop-screen-choice.module.css";

/** Asks which screen or window the call is to show. */
export function ScreenChoice({ request: { sources } }: { readonly request: ScreenRequest }) {
  const t = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const group = (title: string, members: readonly ScreenSource[]) =>
    members.length > 0 && (
      <Box as="fieldset" shrink className={styles.group}>
        <Text as="legend" size={13} weight="title" tone="secondary" marginBottom={8}>
          {title}
        </Text>
        <div className={styles.sources}>
          {members.map((source) => (
            <Source
              key={source.id}
              source={source}
              isChosen={source.id === chosen}
              onChoose={() => setChosen(source.id)}
            />
          ))}
        </div>
      </Box>
    );
  return (
    <Dialog
      isOpen
      title={t("desktop.screen.title")}
      width={760}
      onClose={() => answerScreenRequest(null)}
      onSubmit={() => chosen !== null && answerScreenRequest(chosen)}
      footer={
        <>
          <Button onClick={() => answerScreenRequest(null)}>{t("app.cancel")}</Button>
          {sources.length > 0 && (
            <Button type="submit" variant="primary" disabled={chosen === null}>
              {t("desktop.screen.share")}
            </Button>
          )}
        </>
      }
    >
      {sources.length === 0 && (
        <Text as="p" tone="secondary">
          {t("desktop.screen.none")}
        </Text>
      )}
      {group(
        t("desktop.screen.screens"),
        // Electron names screens in English only.
        sources
          .filter(({ isScreen }) => isScreen)
          .map((screen, index) => ({ ...screen, name: t("desktop.screen.numbered", { number: index + 1 }) })),
      )}
      {group(
        t("desktop.screen.windows"),
        sources.filter(({ isScreen }) => !isScreen),
      )}
    </Dialog>
  );
}

interface SourceProps {
  readonly source: ScreenSource;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** A screen or window to choose, with its picture and name. */
function Source({ source: { id, name, isScreen, thumbnail }, isChosen, onChoose }: SourceProps) {
  const t = useText();
  const Icon = isScreen ? Monitor : AppWindow;
  return (
    <Box as="label" shrink padding={8} className={styles.source}>
      <input
        className="visually-hidden"
        type="radio"
        name="source"
        value={id}
        checked={isChosen}
        onChange={onChoose}
      />
      <span className={styles.picture}>
        {/* Systems have no picture of a window that is hidden. */}
        {thumbnail.length === 0 ? <Icon {...ICON_PROPS_24} /> : <Thumbnail png={thumbnail} />}
      </span>
      <span className={styles.name}>{name.trim() || t("desktop.screen.unnamed")}</span>
    </Box>
  );
}

function Thumbnail({ png }: { readonly png: ScreenSource["thumbnail"] }) {
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([png], { type: "image/png" }));
    if (picture.current !== null) picture.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [png]);
  return <img ref={picture} alt="" />;
}
