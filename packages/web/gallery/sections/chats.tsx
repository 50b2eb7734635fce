import { useState } from "react";
import { Pin } from "lucide-react";
import { MessageType, RequestStatus } from "@parley/protocol/codes";
import { toChatMessage, toSystemMessage } from "@parley/core/model/chats/chat-rows";
import {
  FRIEND_CHAT,
  GROUP_CHAT,
  ME,
  groupRequestVO,
  groupRow,
  privateRow,
  requestVO,
  systemRow,
} from "@parley/core/testing/builders";
import { ChatFilterChips, NoFilteredChats } from "../../src/features/chat/list/chat-filters.tsx";
import { FoldHeader, FoldRow } from "../../src/features/chat/list/chat-folds.tsx";
import { ChatRow } from "../../src/features/chat/list/chat-row.tsx";
import { SavedRow, savedRowHeight } from "../../src/features/chat/saved/saved-row.tsx";
import { SearchResults } from "../../src/features/chat/search/search-results.tsx";
import { SystemCard } from "../../src/features/chat/system/system-card.tsx";
import { SearchRow } from "../../src/kit/search/search-row.tsx";
import { Row as LayoutRow } from "../../src/ui/layout.tsx";
import { Listbox } from "../../src/ui/listbox.tsx";
import { ICON_PROPS } from "../../src/ui/icon-props.ts";
import { CHAT_KEYS, LONG_TEXT, STRANGER } from "../sample-state.ts";
import { Sample, Samples as Row } from "../sample.tsx";
import styles from "../gallery.module.css";

const ignore = () => undefined;
const NOW = Date.now();

const results = [
  { key: FRIEND_CHAT, message: toChatMessage(privateRow({ id: 1, content: LONG_TEXT, sendTime: NOW }), ME) },
  {
    key: GROUP_CHAT,
    message: toChatMessage(groupRow({ id: 2, content: "爬山 climbing", sendTime: NOW }), ME),
  },
  { key: FRIEND_CHAT, message: toChatMessage(privateRow({ id: 3, sendId: ME, content: "爬山！" }), ME) },
];

const savedItems = [
  ...results.map(({ key, message }, index) => ({
    id: index + 1,
    key,
    at: NOW,
    note: index === 1 ? LONG_TEXT : "",
    tags: index === 1 ? ["爬山", "weekend"] : [],
    message,
  })),
  { id: 9, key: FRIEND_CHAT, at: NOW, note: "not loaded", tags: [], message: null },
];

const system = (seqNo: number, part: Parameters<typeof systemRow>[0] | object) =>
  toSystemMessage(systemRow({ seqNo, sendTime: NOW, ...part }));
const friendRequest = (status: RequestStatus) => ({
  type: MessageType.FRIEND_APPLY,
  content: JSON.stringify(requestVO({ sendId: STRANGER, sendNickName: "美玲", remark: LONG_TEXT, status })),
});
const systemMessages = {
  "pending friend request": system(1, friendRequest(RequestStatus.PENDING)),
  "approved friend request": system(2, friendRequest(RequestStatus.APPROVED)),
  "expired friend request": system(3, friendRequest(RequestStatus.EXPIRED)),
  "request to join a group": system(4, {
    type: MessageType.GROUP_APPLY,
    content: JSON.stringify(groupRequestVO({ sendNickName: "美玲", groupName: "周末徒步" })),
  }),
  notice: system(5, {
    type: MessageType.SYSTEM_MESSAGE,
    title: "系统维护 Maintenance",
    intro: LONG_TEXT,
    content: "",
  }),
  "unreadable request": system(6, { content: "{" }),
  "unknown kind": system(7, { type: 999, content: "" }),
};

const switcherItems: readonly Parameters<typeof SearchRow.type>[0]["item"][] = [
  { kind: "chat", id: "1", key: FRIEND_CHAT, name: "林晓", ranges: [[0, 1]], note: "linxiao" },
  { kind: "chat", id: "2", key: GROUP_CHAT, name: "周末徒步 Hiking", ranges: [], note: "" },
  ...results.map((result, index) => ({ kind: "message", id: `m${index}`, result, name: "林晓" }) as const),
  {
    kind: "command",
    id: "3",
    command: { id: "pin", name: "切换主题 Theme", icon: <Pin {...ICON_PROPS} />, run: ignore },
    ranges: [[0, 2]],
  },
  { kind: "more", id: "more", section: "search.messages", total: 37 },
];

const FOLD_SAMPLES = [
  { fold: "archived", count: 3, hasUnread: false, mention: null },
  { fold: "mutedGroups", count: 120, hasUnread: true, mention: "atMe" },
] as const;

function ChatRows({ isCollapsed = false }: { isCollapsed?: boolean }) {
  const [openKey, setOpen] = useState(CHAT_KEYS[3]);
  return (
    <Listbox role="listbox" aria-label="Chats">
      {FOLD_SAMPLES.map((summary, index) => (
        <FoldRow
          key={index}
          id={`fold${index}${isCollapsed}`}
          summary={summary}
          position={1}
          count={CHAT_KEYS.length}
          isActive={false}
          isCollapsed={isCollapsed}
          onOpen={ignore}
        />
      ))}
      {CHAT_KEYS.map((key, index) => (
        <ChatRow
          key={key}
          id={`${key}${isCollapsed}`}
          chatKey={key}
          position={index + 1}
          count={CHAT_KEYS.length}
          isOpen={key === openKey}
          isActive={index === 4}
          isCollapsed={isCollapsed}
          onOpen={setOpen}
        />
      ))}
    </Listbox>
  );
}

/** Rows of chats and of found messages, and the cards of the system chat. */
export function Samples() {
  return (
    <>
      <Row>
        <Sample name="chat list; the fourth is open">
          <div className={styles.list}>
            <ChatFilterChips filter="all" />
            <ChatRows />
          </div>
        </Sample>
        <Sample name="no chat that a filter shows">
          <div className={styles.list}>
            <ChatFilterChips filter="unread" />
            <NoFilteredChats filter="unread" />
          </div>
        </Sample>
        <Sample name="the archive">
          <div className={styles.list}>
            <LayoutRow>
              <FoldHeader fold="archived" count={3} />
            </LayoutRow>
          </div>
        </Sample>
        <Sample name="collapsed">
          <div className={styles.collapsedList}>
            <ChatRows isCollapsed />
          </div>
        </Sample>
      </Row>
      <Sample name="saved messages; the second is searched for" isWide>
        {savedItems.map((item, index) => (
          <div key={item.id} style={{ blockSize: `${savedRowHeight(item) / 16}rem` }}>
            <SavedRow item={item} query={index === 1 ? "爬山" : ""} onSend={ignore} onEdit={ignore} />
          </div>
        ))}
      </Sample>
      <Sample name="messages found in a chat" isWide height={250}>
        <div className={styles.below}>
          <SearchResults
            page={{
              query: { text: "爬山", sendId: null, day: null, kind: null },
              results,
              total: 4,
              next: "next",
              currentIndex: 1,
              hasFailed: false,
            }}
            onSelect={ignore}
            onMore={ignore}
          />
        </div>
      </Sample>
      <Sample name="quick switcher; the first is active">
        <div className={styles.list} role="listbox" aria-label="Quick switcher">
          {switcherItems.map((item, index) => (
            <SearchRow
              key={item.id}
              optionId={item.id}
              item={item}
              query="爬山"
              isActive={index === 0}
              onSelect={ignore}
              onActivate={ignore}
            />
          ))}
        </div>
      </Sample>
      {Object.entries(systemMessages).map(([name, message]) => (
        <Sample key={name} name={`system chat: ${name}`} isWide>
          <div className={styles.chat}>
            <SystemCard message={message} isNew onOpenNotice={ignore} />
          </div>
        </Sample>
      ))}
    </>
  );
}
