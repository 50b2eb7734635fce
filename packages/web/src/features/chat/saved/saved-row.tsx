import { CornerUpLeft, EllipsisVertical, Forward, StickyNote, Tags, Trash2 } from "lucide-react";
import type { SavedItem } from "@parley/core/model/chats/saved-messages";
import { matchRanges } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import { useChatAppearance } from "../../../kit/chats/chat-name.ts";
import { showMessage } from "../../../kit/chats/show-message.ts";
import { emoticonsToText } from "../../../kit/i18n/emoticon-names.ts";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { listTime } from "../../../kit/i18n/time-text.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { HighlightedText, snippet } from "../../../kit/search/highlighted-text.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { ICON_PROPS, ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { pictureOf } from "../message/media/media-content.ts";
import { quoteSummary, useSenderName } from "../message/message-summary.ts";
import styles from "./saved.module.css";

/** What the screen does with a saved message beside showing and removing it. */
export interface SavedRowActions {
  onSend: (item: SavedItem) => void;
  onEdit: (item: SavedItem) => void;
}

interface SavedRowProps extends SavedRowActions {
  item: SavedItem;
  /** What is searched, prepared for the comparison. */
  query: string;
}

const BARE_PX = 84;
const NOTED_PX = 112;

/** The height of a row: the note and the tags have a line of their own. */
export function savedRowHeight({ note, tags }: SavedItem): number {
  return note === "" && tags.length === 0 ? BARE_PX : NOTED_PX;
}

/** A saved message: who wrote it where and when, its words, the note and the tags. A click leads to it in its chat. */
export function SavedRow({ item, query, onSend, onEdit }: SavedRowProps) {
  const t = useText();
  const client = useClient();
  const { id, key, message, note, tags } = item;
  const thumb = message === null ? null : (pictureOf(message)?.thumbUrl ?? null);
  const show = () => showMessage(key, id);
  return (
    <Row gap={4} className={styles.row}>
      <button type="button" className={styles.item} data-saved={id} onClick={show}>
        {thumb !== null && (
          <img
            className={styles.thumb}
            src={client.fileUrl(thumb)}
            alt=""
            width={48}
            height={48}
            loading="lazy"
          />
        )}
        <Stack as="span" grow>
          <Origin item={item} />
          <span className={styles.words} dir="auto">
            <Words item={item} query={query} />
          </span>
          {(note !== "" || tags.length > 0) && (
            <Row as="span" gap={4} size={12} line={20} tone="secondary" className={styles.notes}>
              {tags.map((tag) => (
                <Chip key={tag} tone="accent">
                  <span className="visually-hidden">{t("saved.tags")} </span>
                  <bdi>{tag}</bdi>
                </Chip>
              ))}
              {note !== "" && (
                <>
                  <StickyNote {...ICON_PROPS_14} />
                  <span className="visually-hidden">{t("saved.note")} </span>
                  <Text truncate dir="auto">
                    <HighlightedText text={note.replaceAll(/\s/gu, " ")} ranges={matchRanges(note, query)} />
                  </Text>
                </>
              )}
            </Row>
          )}
        </Stack>
      </button>
      <Menu
        align="end"
        trigger={
          <IconButton label={t("saved.actions")} size={36}>
            <EllipsisVertical {...ICON_PROPS} />
          </IconButton>
        }
      >
        <MenuItem icon={<CornerUpLeft {...ICON_PROPS} />} onSelect={show}>
          {t("saved.show")}
        </MenuItem>
        <MenuItem icon={<Forward {...ICON_PROPS} />} onSelect={() => onSend(item)}>
          {t("saved.send")}
        </MenuItem>
        <MenuItem icon={<Tags {...ICON_PROPS} />} onSelect={() => onEdit(item)}>
          {t("saved.edit")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 {...ICON_PROPS} />}
          isDanger
          onSelect={() => client.chats.removeSaved(key, id)}
        >
          {t("saved.remove")}
        </MenuItem>
      </Menu>
    </Row>
  );
}

/** The sender, the chat if that is another one, and the time of the message. */
function Origin({ item: { key, message } }: { item: SavedItem }) {
  const t = useText();
  const locale = useLocale();
  const chat = useChatAppearance(key);
  const sender = useSenderName(key, message?.sendId ?? 0, message?.sendNickName ?? null);
  const name = message === null || sender === chat.name ? chat.name : `${sender} · ${chat.name}`;
  return (
    <Row as="span" align="baseline" gap={8} size={12} line={18} tone="tertiary">
      <Text as="bdi" grow truncate>
        {name}
      </Text>
      {message !== null && (
        <time dateTime={new Date(message.sendTime).toISOString()}>
          {listTime(message.sendTime, Date.now(), locale, t)}
        </time>
      )}
    </Row>
  );
}

const SEEN_CHARACTERS = 40;

/** The message in words; while something is searched, the part where it was found. */
function Words({ item: { message }, query }: { item: SavedItem; query: string }) {
  const t = useText();
  if (message === null) return <Text tone="tertiary">{t("saved.notLoaded")}</Text>;
  const content = emoticonsToText(searchableContent(message.type, message.content), t);
  const ranges = query === "" ? [] : matchRanges(content, query);
  const [first] = ranges;
  if (first === undefined) return quoteSummary(message, t);
  // Both lines together show this much on the narrowest screen.
  const found = first[1] <= SEEN_CHARACTERS ? { text: content, ranges } : snippet(content, query);
  return <HighlightedText text={found.text} ranges={found.ranges} />;
}
