import { MessageType } from "@parley/protocol/codes";
import type { PushData } from "@parley/protocol/received-frame";
import { describe, expect, test } from "vitest";
import { friendVO, ME, requestVO, userInfo } from "../../testing/builders.ts";
import {
  removeRequest,
  endFriendship,
  isOnline,
  noteToSelfEntry,
  putFriend,
  putRequest,
  putUsers,
  setFriends,
  setOnline,
  setRequests,
} from "./contacts-state.ts";
import { EMPTY_CONTACTS } from "../signed-out-state.ts";
import { readFrame } from "../connection/read-frame.ts";
import { bannedPerson, personOf, receivedRequestCount } from "../selectors.ts";

const named = (id: number, nickName: string, part = {}) => friendVO({ id, nickName, ...part });
const THREE = setFriends(EMPTY_CONTACTS, [named(2, "Cleo"), named(3, "Ann"), named(4, "Bob")]);

describe("friends", () => {
  test("P1 friends are listed online first, then by display name, without deleted ones", () => {
    expect(THREE.order).toEqual([3, 4, 2]);
    const online = setOnline(THREE, [{ userId: 2, terminals: [2] }]);
    expect(online.order).toEqual([2, 3, 4]);
    expect(putFriend(online, named(4, "Bob", { isDeleted: true })).order).toEqual([2, 3]);
  });

  test("P1 friends are ordered by their remark if they have one", () => {
    expect(putFriend(THREE, named(2, "Cleo", { showNickName: "Aaa" })).order).toEqual([2, 3, 4]);
  });

  test("P2 a deleted friend stays known", () => {
    const ended = endFriendship(THREE, 3);
    expect(ended.order).toEqual([4, 2]);
    expect(personOf({ contacts: ended, me: null }, 3)).toMatchObject({
      name: "Ann",
      isDeleted: true,
      isFriend: false,
    });
    expect(endFriendship(ended, 3)).toBe(ended);
    expect(endFriendship(ended, 99)).toBe(ended);
  });

  test("P3 an unknown person is a placeholder with isDeleted true", () => {
    expect(personOf({ contacts: EMPTY_CONTACTS, me: null }, 77)).toMatchObject({
      id: 77,
      name: null,
      isDeleted: true,
    });
  });

  test("P3 a person found by search has a name but is no friend", () => {
    const contacts = putUsers(EMPTY_CONTACTS, [userInfo({ id: 5, nickName: "Eve" })]);
    const person = personOf({ contacts, me: userInfo() }, 5);
    expect(person).toMatchObject({ name: "Eve", isFriend: false, isDeleted: true });
    expect(personOf({ contacts, me: userInfo() }, ME)).toMatchObject({ name: "Me", isDeleted: false });
    expect(putUsers(contacts, [])).toBe(contacts);
  });

  test("P143 my own profile wins over the friend entry of the chat with myself", () => {
    const contacts = putFriend(EMPTY_CONTACTS, named(ME, "Before", { isTop: true, isDeleted: true }));
    expect(personOf({ contacts, me: userInfo() }, ME)).toMatchObject({ name: "Me", isDeleted: false });
  });

  test("P6 a friend missing from the answer is offline, and an equal answer changes nothing", () => {
    const online = setOnline(THREE, [{ userId: 2, terminals: [1, 2] }]);
    expect(setOnline(online, [{ userId: 2, terminals: [1, 2] }])).toBe(online);
    expect(setOnline(online, []).online).toEqual({});
    expect(personOf({ contacts: online, me: null }, 2).isOnline).toBe(true);
  });
});

describe("requests", () => {
  const received = (id: number, applyTime: number) => requestVO({ id, sendId: id + 10, applyTime });
  const sent = (id: number) => requestVO({ id, sendId: ME, recvId: id + 10 });

  test("P4 received requests come first, then newest first, without handled ones", () => {
    const contacts = setRequests(
      EMPTY_CONTACTS,
      [sent(3), received(1, 5), received(2, 9), received(4, 1)],
      ME,
    );
    expect(contacts.requests.map((request) => request.id)).toEqual([2, 1, 4, 3]);
    const handled = putRequest(contacts, { ...received(2, 9), status: 3 }, ME);
    expect(handled.requests.map((request) => request.id)).toEqual([1, 4, 3]);
    expect(putRequest(handled, { ...received(2, 9), status: 3 }, ME)).toBe(handled);
    expect(removeRequest(handled, 1).requests.map((request) => request.id)).toEqual([4, 3]);
    expect(removeRequest(handled, 99)).toBe(handled);
  });

  test("P112 where a friend was found stays when a push tells of the person alone", () => {
    const known = putFriend(EMPTY_CONTACTS, friendVO({ source: 2 }));
    const renamed = putFriend(known, friendVO({ nickName: "New" })).friends[friendVO().id];
    expect(renamed).toMatchObject({ nickName: "New", source: 2 });
  });

  test("P4 a repeated request is listed once", () => {
    const once = putRequest(putRequest(EMPTY_CONTACTS, received(1, 5), ME), received(1, 6), ME);
    expect(once.requests).toHaveLength(1);
    const session = { kind: "active", userId: ME } as const;
    expect(receivedRequestCount({ contacts: putRequest(once, sent(3), ME), session })).toBe(1);
    expect(receivedRequestCount({ contacts: once, session: { kind: "anonymous", ended: null } })).toBe(0);
  });

  test("P4 a request disappears when both users are friends", () => {
    const contacts = setRequests(EMPTY_CONTACTS, [received(1, 5), received(2, 5)], ME);
    expect(putFriend(contacts, named(11, "Ann")).requests.map((request) => request.id)).toEqual([2]);
    expect(putFriend(contacts, named(11, "Ann", { isDeleted: true })).requests).toHaveLength(2);
  });
});

describe("pushes", () => {
  const read = (data: PushData) => readFrame({ cmd: 3, data }, ME);
  const content = JSON.stringify(friendVO());

  test("P5 pushes 80 and 71 contain a friend, 71 also the answered request", () => {
    expect(read({ type: MessageType.FRIEND_NEW, content })).toMatchObject({
      kind: "friend",
      friend: { id: 2 },
      requestId: null,
    });
    const answered = JSON.stringify({ ...friendVO(), requestId: 8, status: 2, remark: "", applyTime: 1 });
    const approved = read({ type: MessageType.FRIEND_REQ_APPROVE, content: answered });
    expect(approved).toMatchObject({ kind: "friend", requestId: 8 });
    expect(approved.kind === "friend" && approved.friend).toEqual(friendVO());
  });

  test("P5 push 81 ends a friendship", () => {
    expect(read({ type: MessageType.FRIEND_DELETED, sendId: 2 })).toEqual({
      kind: "friendDeleted",
      userId: 2,
    });
  });

  test.each([
    [MessageType.FRIEND_REQ_APPLY, 1],
    [MessageType.FRIEND_REQ_REJECT, 3],
    [MessageType.FRIEND_REQ_RECALL, 4],
  ])("P5 push %i gives a request the status %i", (type, status) => {
    const incoming = read({ type, content: JSON.stringify(requestVO()) });
    expect(incoming).toMatchObject({ kind: "request", request: { id: 1, status } });
  });

  test.each([
    [MessageType.FRIEND_NEW, "{"],
    [MessageType.FRIEND_NEW, "{}"],
    [MessageType.FRIEND_REQ_APPLY, "null"],
    [MessageType.FRIEND_REQ_APPLY, '{"id":"x"}'],
    [MessageType.FRIEND_DELETED, ""],
    [MessageType.GROUP_NEW, "{}"],
  ])("P10 push %i with the content %s is ignored", (type, text) => {
    expect(read({ type, content: text })).toEqual({ kind: "ignored", type });
  });
});

describe("contact entries", () => {
  test("P141 the entry for the chat with myself is deleted, not muted, and has my name and pictures", () => {
    const me = userInfo({ headImage: "/a.png", headImageThumb: "/b.png" });
    expect(noteToSelfEntry(me)).toEqual(
      friendVO({
        id: ME,
        userName: "me",
        nickName: "Me",
        headImage: "/a.png",
        headImageThumb: "/b.png",
        isDeleted: true,
        deleted: true,
      }),
    );
  });

  test("P2 an ended friendship sets both deletion fields and keeps its request", () => {
    const contacts = setRequests(THREE, [requestVO({ sendId: 3 })], ME);
    const ended = endFriendship(contacts, 3);
    expect(ended.friends[3]).toEqual(named(3, "Ann", { isDeleted: true, deleted: true }));
    expect(ended.requests).toBe(contacts.requests);
    const own = setRequests(THREE, [requestVO({ sendId: ME, recvId: 3 })], ME);
    expect(putFriend(own, named(3, "Ann")).requests).toEqual([]);
  });

  test("P1 P4 equal entries are ordered by id", () => {
    const same = [named(9, "Ann"), named(-3, "Ann"), named(-1, "Ann"), named(8, "Ann"), named(-2, "Ann")];
    const contacts = setFriends(EMPTY_CONTACTS, same);
    expect(contacts).toMatchObject({ order: [-3, -2, -1, 8, 9], isLoaded: true });
    const requests = [1, 3, 2].map((id) => requestVO({ id, sendId: id + 10 }));
    expect(setRequests(EMPTY_CONTACTS, requests, ME).requests.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  test("P4 only pending requests are listed", () => {
    const handled = requestVO({ id: 2, status: 2 });
    expect(setRequests(EMPTY_CONTACTS, [handled, requestVO()], ME).requests).toEqual([requestVO()]);
    expect(putRequest(EMPTY_CONTACTS, handled, ME)).toBe(EMPTY_CONTACTS);
  });

  test("P6 a person is online with at least one terminal", () => {
    const online = setOnline(THREE, [
      { userId: 2, terminals: [] },
      { userId: 3, terminals: [1] },
    ]);
    expect([2, 3, 4].map((id) => isOnline(online, id))).toEqual([false, true, false]);
    expect(setOnline(online, [{ userId: 3, terminals: [1] }]).online).toEqual({ 3: [1] });
    expect(
      setOnline(online, [
        { userId: 3, terminals: [1] },
        { userId: 4, terminals: [1] },
      ]).online,
    ).toEqual({ 3: [1], 4: [1] });
    const other = setOnline(online, [
      { userId: 2, terminals: [] },
      { userId: 3, terminals: [2] },
    ]);
    expect(other.online[3]).toEqual([2]);
  });
});

describe("a displayed person", () => {
  const personWith = (part: object, isConnected = false) => {
    const contacts = setOnline(
      putFriend(EMPTY_CONTACTS, friendVO(part)),
      isConnected ? [{ userId: 2, terminals: [1] }] : [],
    );
    return personOf({ contacts, me: null }, 2);
  };
  const FRIEND_PERSON = { id: 2, name: "Friend", headImage: null, headImageThumb: null };

  test("P3 a friend is shown as online, and a former friend is not", () => {
    const friend = { ...FRIEND_PERSON, isFriend: true, isDeleted: false, isOnline: false };
    expect(personWith({})).toEqual(friend);
    expect(personWith({}, true)).toEqual({ ...friend, isOnline: true });
    expect(personWith({ isDeleted: true }, true)).toEqual({ ...friend, isFriend: false, isDeleted: true });
  });

  test("P3 a friend has the display name, else the nickname, else the user name, else no name", () => {
    const names = { showNickName: "A", nickName: "B", userName: "C" };
    expect(personWith(names).name).toBe("A");
    expect(personWith({ ...names, showNickName: "" }).name).toBe("B");
    expect(personWith({ showNickName: "", nickName: "", userName: "C" }).name).toBe("C");
    expect(personWith({ showNickName: "", nickName: "", userName: "" }).name).toBeNull();
  });

  test("P3 a known person, myself and an unknown person are displayed", () => {
    const eve = userInfo({ id: 5, nickName: "", userName: "eve", headImage: "/a.png" });
    const contacts = setOnline(putUsers(EMPTY_CONTACTS, [eve]), [{ userId: 5, terminals: [1] }]);
    const profile = { id: 5, name: "eve", headImage: "/a.png", headImageThumb: null, isFriend: false };
    expect(personOf({ contacts, me: null }, 5)).toEqual({ ...profile, isDeleted: true, isOnline: true });
    expect(personOf({ contacts, me: eve }, 5)).toEqual({ ...profile, isDeleted: false, isOnline: true });
    const noName = putUsers(EMPTY_CONTACTS, [{ ...eve, userName: "" }]);
    expect(personOf({ contacts: noName, me: null }, 5)).toMatchObject({ name: null, isOnline: false });
    expect(personOf({ contacts, me: eve }, 6)).toEqual({
      id: 6,
      name: null,
      headImage: null,
      headImageThumb: null,
      isFriend: false,
      isDeleted: true,
      isOnline: false,
    });
  });

  test("P111 a ban is read from the friend entry, and for others from the last loaded profile", () => {
    const banned = { isBanned: true, reason: "spam" };
    const reasonOf = (friend: object | null, user: object | null) => {
      const withUser =
        user === null ? EMPTY_CONTACTS : putUsers(EMPTY_CONTACTS, [userInfo({ id: 2, ...user })]);
      const contacts = friend === null ? withUser : putFriend(withUser, friendVO(friend));
      return bannedPerson({ contacts }, 2)?.reason ?? null;
    };
    expect(reasonOf(null, null)).toBeNull();
    expect(reasonOf(null, banned)).toBe("spam");
    expect(reasonOf(banned, null)).toBe("spam");
    expect(reasonOf({}, banned)).toBeNull();
    expect(reasonOf({ isDeleted: true }, banned)).toBe("spam");
    expect(reasonOf({ isDeleted: true, ...banned }, {})).toBeNull();
  });
});
