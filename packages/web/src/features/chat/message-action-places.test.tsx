// One descriptor of an action is enough for every place that offers actions on messages.
import { Star } from "lucide-react";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { CONTENT_EXAMPLES } from "@parley/protocol/kind-examples";
import { FRIEND_CHAT, localEcho } from "@parley/core/testing/builders";
import { createLoggedInClient, type SingleClient } from "@parley/core/testing/single-client";
import type { Chat, ChatMessage, State } from "@parley/core/model/state";
import { MESSAGE_SHORTCUTS } from "../../kit/settings/shortcuts.ts";
import type { MessageAction } from "./message/message-actions.ts";

interface ParentProps {
  children?: ReactNode;
}

const PICTURE: ChatMessage = {
  ...localEcho("t"),
  id: 7,
  tmpId: null,
  type: MessageType.IMAGE,
  content: JSON.stringify(CONTENT_EXAMPLES[MessageType.IMAGE][0]),
  sending: null,
};

/** What the places need of the program; loaded with replaced menus and viewer, which render nothing without a browser. */
async function loadPlaces() {
  const Parent = ({ children }: ParentProps) => createElement("div", null, children);
  vi.resetModules();
  vi.doMock("../../ui/menu.tsx", () => ({
    MenuAt: Parent,
    MenuRow: Parent,
    MenuRowItem: Parent,
    MenuSeparator: () => createElement("hr"),
    MenuItem: ({ children, keys }: ParentProps & { keys?: string }) =>
      createElement("button", { "aria-keyshortcuts": keys }, children),
  }));
  vi.doMock("./viewer/viewer.tsx", () => ({
    Viewer: ({ items, renderActions }: { items: object[]; renderActions: (item?: object) => ReactNode }) =>
      renderActions(items[0]),
  }));
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("CSS", { escape: String });
  const modules = {
    ...(await import("../../kit/i18n/i18n.ts")),
    ...(await import("../../kit/loading/use-client.ts")),
    ...(await import("./composer/selection-bar.tsx")),
    ...(await import("./message/conversation-ui.ts")),
    ...(await import("./message/hover-bar.tsx")),
    ...(await import("./message/message-actions.ts")),
    ...(await import("./message/message-menu.tsx")),
    ...(await import("./message/use-row-gestures.ts")),
    ...(await import("./viewer/chat-viewer.tsx")),
  };
  return modules;
}

type Places = Awaited<ReturnType<typeof loadPlaces>>;

describe("an action on messages", () => {
  const run = vi.fn<MessageAction["run"]>();
  /** Any state would do. */
  const isPlayed = ({ played }: State) => played[FRIEND_CHAT] !== undefined;
  const star: MessageAction = {
    text: "keys.rotate",
    Icon: Star,
    look: (_, { state }) => (isPlayed(state) ? { text: "keys.zoomOut" } : {}),
    // A shortcut that no other action has.
    shortcut: "wholePicture",
    buttons: ["hoverBar", "viewer"],
    selection: { takes: (_, { state }) => !isPlayed(state), run: () => undefined },
    isOffered: ({ id }) => id === PICTURE.id,
    run,
  };
  let single: SingleClient;
  let places: Places;
  let label: string;

  beforeAll(async () => {
    places = await loadPlaces();
    single = await createLoggedInClient();
    label = places.currentText()(star.text);
    Object.assign(places.MESSAGE_ACTIONS, { star });
  });
  afterAll(() => {
    vi.doUnmock("../../ui/menu.tsx");
    vi.doUnmock("./viewer/viewer.tsx");
    vi.resetModules();
  });

  const noop = () => undefined;
  const nameOf = () => "Lin";
  /** The markup of a place in a conversation with the picture selected. */
  function show(place: ReactNode): string {
    const ui = places.createConversationUi(FRIEND_CHAT);
    ui.set({ selected: new Map([[PICTURE.key, PICTURE]]) });
    // Without a browser, components read the initial state.
    Object.assign(ui.store, { getInitialState: ui.get });
    return renderToStaticMarkup(
      <places.ClientProvider value={single.client}>
        <places.ConversationUiProvider value={ui}>{place}</places.ConversationUiProvider>
      </places.ClientProvider>,
    );
  }

  const showMenu = () => show(<places.MessageMenu message={PICTURE} x={0} y={0} onClose={noop} />);
  const showHoverBar = () => show(<places.HoverBar message={PICTURE} onMenu={noop} />);
  const showSelectionBar = () => {
    const chat = { window: { messages: [] }, sync: {} } as unknown as Chat;
    return show(<places.SelectionBar chat={chat} nameOf={nameOf} />);
  };
  const showViewer = () => {
    const pages = { messages: [PICTURE], total: 1, next: null, status: "idle" } as const;
    const viewer = { chatKey: FRIEND_CHAT, messageKey: PICTURE.key, pages };
    return show(<places.ChatViewer viewer={viewer} nameOf={nameOf} onJump={noop} onClose={noop} />);
  };

  test("is in the menu, with its shortcut", () => {
    expect(showMenu()).toContain(`<button aria-keyshortcuts="0">${label}</button>`);
  });

  test("is beside the bubble", () => {
    expect(showHoverBar()).toContain(`aria-label="${label}"`);
  });

  test("is in the bar of the selected messages", () => {
    expect(showSelectionBar()).toContain(`aria-label="${label}"`);
  });

  test("is in the viewer", () => {
    expect(showViewer()).toContain(`aria-label="${label}"`);
  });

  test("runs by its shortcut on a focused message that allows it", () => {
    const press = (message: ChatMessage) => {
      const Row = () => {
        const row = {} as HTMLElement;
        const keys = { key: "0", code: "", altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
        const event = { ...keys, target: row, currentTarget: row, preventDefault: noop, nativeEvent: keys };
        type Press = Parameters<ReturnType<Places["useRowGestures"]>["onKeyDown"]>[0];
        places.useRowGestures(message).onKeyDown(event as unknown as Press);
        return null;
      };
      show(<Row />);
    };
    press({ ...PICTURE, id: 8 });
    expect(run).not.toHaveBeenCalled();
    press(PICTURE);
    expect(run).toHaveBeenCalledExactlyOnceWith(PICTURE, expect.objectContaining({ client: single.client }));
  });

  test("has the look in each place that the state gives it", () => {
    const isDisabled = () => new RegExp(`disabled=""[^>]*aria-label="${label}"`).test(showSelectionBar());
    expect(isDisabled()).toBe(false);
    single.client.chats.markPlayed(FRIEND_CHAT, 7);
    const other = places.currentText()("keys.zoomOut");
    expect(showMenu()).toContain(`>${other}</button>`);
    for (const shown of [showHoverBar(), showViewer()]) expect(shown).toContain(`aria-label="${other}"`);
    expect(isDisabled()).toBe(true);
  });
});

test("each shortcut on a message that the table lists belongs to an action", async () => {
  const { MESSAGE_ACTIONS } = await import("./message/message-actions.ts");
  const used = new Set(Object.values(MESSAGE_ACTIONS).map(({ shortcut }) => shortcut));
  const { walk: _walk, acts: _acts, ...ofActions } = MESSAGE_SHORTCUTS;
  expect(Object.keys(ofActions).filter((name) => !used.has(name as keyof typeof ofActions))).toEqual([]);
});
