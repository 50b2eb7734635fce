import { FindableBy, Terminal } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { friendVO, ownInfo, publicInfo, requestVO } from "./person-presenter.ts";

const ann = {
  id: 7,
  userName: "ann1",
  nickName: "Ann",
  headImage: "/files/a/large.png",
  headImageThumb: "/files/a/small.png",
  banReason: null,
  sex: 1,
  signature: "hello",
  birthday: "2000-01-02",
  mobile: "13800000000",
  email: "a@b.cn",
  isManualApprove: true,
  findableBy: FindableBy.USER_NAME,
  readReceipts: true,
  lastSeenShown: true,
  isAdmin: false,
};
const { banReason: _, ...info } = ann;

test("people see all of their own info, and no contact details of others", () => {
  const own = { ...info, online: true, isBanned: false, reason: null };
  expect(ownInfo(ann)).toEqual(own);
  const hidden = {
    birthday: null,
    mobile: null,
    email: null,
    isManualApprove: null,
    findableBy: null,
    readReceipts: null,
    lastSeenShown: null,
    isAdmin: null,
  };
  expect(publicInfo(ann, true)).toEqual({ ...own, ...hidden });
  expect(publicInfo({ ...ann, banReason: "" }, false)).toEqual({
    ...own,
    ...hidden,
    online: false,
    isBanned: true,
    reason: "",
  });
});

const preferences = {
  remarkNickName: null,
  isTop: true,
  msgRemind: 1,
  msgRemindUntil: null,
  msgRemindAfter: null,
  isDeleted: false,
};

test("a friend as its owner sees it", () => {
  expect(friendVO(preferences, ann, [])).toEqual({
    id: 7,
    userName: "ann1",
    nickName: "Ann",
    headImage: "/files/a/large.png",
    headImageThumb: "/files/a/small.png",
    showNickName: "Ann",
    remarkNickName: null,
    online: false,
    onlineWeb: false,
    onlineApp: false,
    isTop: true,
    msgRemind: 1,
    msgRemindUntil: null,
    isDnd: false,
    isDeleted: false,
    deleted: false,
    isBanned: false,
    reason: null,
  });
  expect(friendVO({ ...preferences, isDeleted: true }, { ...ann, banReason: "spam" }, [])).toMatchObject({
    isDeleted: true,
    deleted: true,
    isBanned: true,
    reason: "spam",
  });
  expect(friendVO({ ...preferences, msgRemind: 0 }, ann, []).isDnd).toBe(true);
});

test("the name of a friend is the remark, else the nickname, else the user name", () => {
  const nameOf = (remarkNickName: string | null, nickName: string) =>
    friendVO({ ...preferences, remarkNickName }, { ...ann, nickName }, []).showNickName;
  expect(nameOf("A.", "Ann")).toBe("A.");
  expect(nameOf("", "Ann")).toBe("Ann");
  expect(nameOf(null, "")).toBe("ann1");
});

test.each([
  [[Terminal.WEB], true, false],
  [[Terminal.OLD_WEB], true, false],
  [[Terminal.APP], false, true],
  [[Terminal.APP, Terminal.WEB], true, true],
])("a friend on the terminals %j is online", (terminals, onlineWeb, onlineApp) => {
  expect(friendVO(preferences, ann, terminals)).toMatchObject({ online: true, onlineWeb, onlineApp });
});

test("a friend request shows the small pictures, else the large ones", () => {
  const request = { id: 3, sendId: 7, recvId: 8, remark: "Hi", source: 1, status: 1, applyTime: 4 };
  const bo = { ...ann, id: 8, nickName: "Bo", headImage: "/files/b/large.png", headImageThumb: null };
  expect(requestVO(request, ann, bo)).toEqual({
    ...request,
    sendNickName: "Ann",
    sendHeadImage: "/files/a/small.png",
    recvNickName: "Bo",
    recvHeadImage: "/files/b/large.png",
  });
  expect(requestVO(request, bo, ann)).toMatchObject({
    sendHeadImage: "/files/b/large.png",
    recvHeadImage: "/files/a/small.png",
  });
});
