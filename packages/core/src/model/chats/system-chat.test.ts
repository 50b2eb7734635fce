import { MessageStatus, MessageType, RequestStatus } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { groupRequestVO, requestVO, systemRow } from "../../testing/builders.ts";
import { createChatHarness, systemInput } from "../../testing/chat-harness.ts";
import { SYSTEM_CHAT, toSystemMessage } from "./chat-rows.ts";

describe("the system chat", () => {
  test("N1 a request pins the system chat and is permanent", () => {
    const harness = createChatHarness();
    harness.dispatch(
      systemInput(
        systemRow({ seqNo: 1, type: MessageType.SYSTEM_MESSAGE, isPermanent: false, isTop: false }),
      ),
    );
    expect(harness.chat(SYSTEM_CHAT).isTop).toBe(false);
    harness.dispatch(systemInput(systemRow({ seqNo: 2, isPermanent: false })));
    expect(harness.chat(SYSTEM_CHAT).isTop).toBe(true);
    expect(harness.chat(SYSTEM_CHAT).window.messages.map((m) => m.system?.isPermanent)).toEqual([
      false,
      true,
    ]);
  });

  test("N1 a request that comes again does not pin a system chat that was unpinned, and a newer one does", () => {
    const harness = createChatHarness();
    const request = systemInput(systemRow({ seqNo: 1 }));
    harness.dispatch(request);
    harness.dispatch({ kind: "settings", key: SYSTEM_CHAT, isTop: false, msgRemind: 1 });
    harness.dispatch(request);
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ isTop: false, unread: 1 });
    harness.dispatch(systemInput(systemRow({ seqNo: 2 })));
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ isTop: true, unread: 2 });
  });

  test("N1 a request whose push was lost pins the system chat, and brings it back into the list, also after a newer message", () => {
    const harness = createChatHarness();
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })));
    harness.dispatch({ kind: "settings", key: SYSTEM_CHAT, isTop: false, msgRemind: 1 });
    harness.dispatch(systemInput(systemRow({ seqNo: 3, type: MessageType.SYSTEM_MESSAGE, isTop: false })));
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ isTop: false, unread: 2 });
    harness.dispatch(systemInput(systemRow({ seqNo: 2 })));
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ isTop: true, unread: 3 });
  });

  test("N2 a copy of a message with another status of its request replaces it", () => {
    const harness = createChatHarness();
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })));
    harness.dispatch(systemInput(systemRow({ seqNo: 1, content: JSON.stringify(requestVO({ status: 2 })) })));
    expect(harness.ids(SYSTEM_CHAT)).toHaveLength(1);
    expect(harness.chat(SYSTEM_CHAT).window.messages[0]?.system?.request?.status).toBe(2);
  });

  test("N3 a handled request never becomes pending again", () => {
    const harness = createChatHarness();
    harness.dispatch(systemInput(systemRow({ seqNo: 1, content: JSON.stringify(requestVO({ status: 3 })) })));
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })));
    expect(harness.chat(SYSTEM_CHAT).window.messages[0]?.system?.request?.status).toBe(3);
  });

  test("N4 an unreadable request is null and the message stays", () => {
    const harness = createChatHarness();
    harness.dispatch(
      systemInput(systemRow({ seqNo: 1, content: "{oops" })),
      systemInput(systemRow({ seqNo: 2, content: "[]" })),
    );
    expect(harness.chat(SYSTEM_CHAT).window.messages.map((m) => m.system?.request)).toEqual([null, null]);
  });

  test("N5 read positions count seqNos", () => {
    const harness = createChatHarness();
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })), systemInput(systemRow({ seqNo: 2 })));
    harness.dispatch({ kind: "read", key: SYSTEM_CHAT, side: "mine", upTo: 1 });
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ unread: 1, readId: 1 });
    harness.dispatch({ kind: "read", key: SYSTEM_CHAT, side: "mine", upTo: null });
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ unread: 0, readId: 2 });
  });

  test("N111 an answered request is no longer unread, and earlier messages still are", () => {
    const harness = createChatHarness();
    const notice = systemRow({ seqNo: 1, type: MessageType.SYSTEM_MESSAGE, content: "{}" });
    const answered = systemRow({ seqNo: 2, content: JSON.stringify(requestVO({ status: 2 })) });
    harness.dispatch(systemInput(notice), systemInput(systemRow({ seqNo: 2 })));
    expect(harness.chat(SYSTEM_CHAT).unread).toBe(2);
    harness.dispatch(systemInput({ ...answered, status: MessageStatus.READED }));
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ unread: 1, readId: -1, sync: { unread: [1] } });
    const group = groupRequestVO({ status: RequestStatus.REJECTED });
    harness.dispatch(
      systemInput(systemRow({ seqNo: 3, type: MessageType.GROUP_APPLY, content: JSON.stringify(group) })),
    );
    expect(harness.chat(SYSTEM_CHAT).unread).toBe(1);
  });

  test("N111 a late copy of an answered request does not count as unread", () => {
    const harness = createChatHarness();
    harness.dispatch(systemInput(systemRow({ seqNo: 1, content: JSON.stringify(requestVO({ status: 3 })) })));
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })));
    expect(harness.chat(SYSTEM_CHAT).unread).toBe(0);
  });

  test("N111 a local page with an answered request corrects the unread count", () => {
    const harness = createChatHarness();
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })));
    const row = systemRow({ seqNo: 1, content: JSON.stringify(requestVO({ status: 2 })) });
    const page = { messages: [toSystemMessage(row)], isFromServer: false, from: 0, to: Infinity };
    harness.dispatch({ kind: "page", key: SYSTEM_CHAT, page, purpose: "older" });
    expect(harness.chat(SYSTEM_CHAT).unread).toBe(0);
  });

  test("N112 the flags of a system message are kept, and one with isTop pins the chat", () => {
    const harness = createChatHarness();
    const flags = { isVerifyMessage: false, isPermanent: false, isTop: false };
    const notice = { type: MessageType.SYSTEM_MESSAGE, content: "" };
    harness.dispatch(systemInput(systemRow({ seqNo: 1, ...notice, ...flags })));
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({
      isTop: false,
      window: { messages: [{ system: flags }] },
    });
    const set = { isVerifyMessage: true, isPermanent: true, isTop: true };
    harness.dispatch(systemInput(systemRow({ seqNo: 2, ...notice, ...set })));
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({
      isTop: true,
      window: { messages: [{ system: flags }, { system: set }] },
    });
    harness.dispatch(systemInput(systemRow({ seqNo: 3, ...flags })));
    expect(harness.chat(SYSTEM_CHAT).window.messages.at(-1)?.system).toMatchObject(set);
  });
});
