import { describe, expect, test, beforeAll } from "vitest";
import { TIPS, type TipKey, nameParams } from "@parley/protocol/tips";
import type { Preview } from "@parley/core/model/state";
import type { Translate } from "../i18n/i18n.ts";
import { previewText, tipText } from "./preview-text.ts";
import { currentText, setLanguage, startLanguage } from "../i18n/i18n.ts";

const t: Translate = (id, params) =>
  params === undefined ? `<${id}>` : `<${id} ${Object.values(params).join()}>`;
const preview = (key: Preview["key"], text: string): Preview => ({
  key,
  text,
  tip: null,
  sendId: 1,
  sending: null,
});

describe("the preview of a chat", () => {
  test("is the text itself for text and notices", () => {
    expect(previewText(preview("content", "你好"), t)).toBe("你好");
    expect(previewText(preview("notice", "维护"), t)).toBe("维护");
  });

  test("is a label for every other kind, with its details", () => {
    expect(previewText(preview("image", ""), t)).toBe("<preview.image>");
    expect(previewText(preview("voiceCall", "12:48"), t)).toBe("<preview.voiceCall> 12:48");
    expect(previewText(preview("transfer", "5"), t)).toBe("<preview.transfer 5>");
  });

  test("N141 names the person who sent a request, after the label", () => {
    expect(previewText(preview("friendApply", "林晓"), t)).toBe(
      "<preview.friendApply> <preview.friendApplyBy 林晓>",
    );
    expect(previewText(preview("groupApply", "林晓"), t)).toBe(
      "<preview.groupApply> <preview.groupApplyBy 林晓>",
    );
    expect(previewText(preview("friendApply", ""), t)).toBe("<preview.friendApply>");
  });

  test("says that a kind is unsupported, without its content", () => {
    expect(previewText(preview("unknown", '{"a":1}'), t)).toBe("<chat.unsupported>");
  });

  test("is empty for a chat without messages", () => {
    expect(previewText(null, t)).toBe("");
  });

  test("is the server's text for a tip that this client does not know", () => {
    const tip = { key: "from.tomorrow", params: {} };
    expect(previewText({ ...preview("content", "服务器的话"), tip }, t)).toBe("服务器的话");
  });
});

describe("a tip", () => {
  const ME = 7;
  const ANN = { id: 1, name: "Ann" };
  const BO = { id: 2, name: "Bo" };
  const CY = { id: 3, name: "Cy" };
  const SELF = { id: ME, name: "Myself" };

  type Params<K extends TipKey> = keyof (typeof TIPS)[K];
  /** The reader's role in a tip: not named, the actor, the author of the message, the only target, one of several targets. */
  type Role<K extends TipKey> =
    | "nobody"
    | ("name" extends Params<K> ? "actor" : never)
    | ("author" extends Params<K> ? "author" : never)
    | ("names" extends Params<K> ? "target" | "oneOf" : never);

  const LOCALES = ["zh-CN", "zh-TW", "en-US"] as const;
  type Translations = readonly [zhCN: string, zhTW: string, enUS: string];

  /** The expected texts. Ann is the actor, Bo and Cy are the targets, or Bo is the author. */
  const SENTENCES: { readonly [K in TipKey]: { readonly [R in Role<K>]: Translations } } = {
    "friend.nowFriends": {
      nobody: [
        "你们已成为好友，现在可以开始聊天了",
        "你們已成為好友，現在可以開始聊天了",
        "You are friends now and can start to chat",
      ],
    },
    "friend.ended": {
      nobody: ["你们的好友关系已被解除", "你們的好友關係已被解除", "You are no longer friends"],
    },
    recalled: {
      nobody: ["“Ann”撤回了一条消息", "「Ann」收回了一則訊息", "Ann recalled a message"],
      actor: ["你撤回了一条消息", "你收回了一則訊息", "You recalled a message"],
    },
    recalledBy: {
      nobody: ["“Ann”撤回了“Bo”的一条消息", "「Ann」收回了「Bo」的一則訊息", "Ann recalled a message of Bo"],
      actor: ["你撤回了“Bo”的一条消息", "你收回了「Bo」的一則訊息", "You recalled a message of Bo"],
      author: ["“Ann”撤回了你的一条消息", "「Ann」收回了你的一則訊息", "Ann recalled a message of yours"],
    },
    "group.invited": {
      nobody: [
        "“Ann”邀请“Bo”、“Cy”加入了群聊",
        "「Ann」邀請「Bo」、「Cy」加入了群組",
        "Ann invited Bo and Cy to the group",
      ],
      actor: [
        "你邀请“Bo”、“Cy”加入了群聊",
        "你邀請「Bo」、「Cy」加入了群組",
        "You invited Bo and Cy to the group",
      ],
      target: ["“Ann”邀请你加入了群聊", "「Ann」邀請你加入了群組", "Ann invited you to the group"],
      oneOf: [
        "“Ann”邀请你和“Bo”、“Cy”加入了群聊",
        "「Ann」邀請你和「Bo」、「Cy」加入了群組",
        "Ann invited you, Bo and Cy to the group",
      ],
    },
    "group.joined": {
      nobody: ["“Ann”加入了群聊", "「Ann」加入了群組", "Ann joined the group"],
      actor: ["你加入了群聊", "你加入了群組", "You joined the group"],
    },
    "group.removed": {
      nobody: ["您已被移出群聊", "你已被移出群組", "You have been removed from the group"],
    },
    "group.renamed": {
      nobody: [
        "“Ann”将群名修改为“Tilers”",
        "「Ann」將群組名稱修改為「Tilers」",
        "Ann renamed the group to Tilers",
      ],
      actor: ["你将群名修改为“Tilers”", "你將群組名稱修改為「Tilers」", "You renamed the group to Tilers"],
    },
    "group.noticeChanged": {
      nobody: ["“Ann”修改了群公告", "「Ann」修改了群組公告", "Ann changed the group notice"],
      actor: ["你修改了群公告", "你修改了群組公告", "You changed the group notice"],
    },
    "group.muted": {
      nobody: ["“Ann”将“Bo”、“Cy”禁言", "「Ann」將「Bo」、「Cy」禁言", "Ann muted Bo and Cy"],
      actor: ["你将“Bo”、“Cy”禁言", "你將「Bo」、「Cy」禁言", "You muted Bo and Cy"],
      target: ["“Ann”将你禁言", "「Ann」將你禁言", "Ann muted you"],
      oneOf: ["“Ann”将你和“Bo”、“Cy”禁言", "「Ann」將你和「Bo」、「Cy」禁言", "Ann muted you, Bo and Cy"],
    },
    "group.unmuted": {
      nobody: ["“Ann”解除了“Bo”、“Cy”的禁言", "「Ann」解除了「Bo」、「Cy」的禁言", "Ann unmuted Bo and Cy"],
      actor: ["你解除了“Bo”、“Cy”的禁言", "你解除了「Bo」、「Cy」的禁言", "You unmuted Bo and Cy"],
      target: ["“Ann”解除了你的禁言", "「Ann」解除了你的禁言", "Ann unmuted you"],
      oneOf: [
        "“Ann”解除了你和“Bo”、“Cy”的禁言",
        "「Ann」解除了你和「Bo」、「Cy」的禁言",
        "Ann unmuted you, Bo and Cy",
      ],
    },
    "group.allMuted": {
      nobody: ["“Ann”开启了全员禁言", "「Ann」開啟了全員禁言", "Ann muted everyone but the owner"],
      actor: ["你开启了全员禁言", "你開啟了全員禁言", "You muted everyone but the owner"],
    },
    "group.allUnmuted": {
      nobody: ["“Ann”关闭了全员禁言", "「Ann」關閉了全員禁言", "Ann let everyone speak again"],
      actor: ["你关闭了全员禁言", "你關閉了全員禁言", "You let everyone speak again"],
    },
    "group.adminAdded": {
      nobody: [
        "“Ann”将“Bo”、“Cy”设为管理员",
        "「Ann」將「Bo」、「Cy」設為管理員",
        "Ann gave Bo and Cy the admin role",
      ],
      actor: [
        "你将“Bo”、“Cy”设为管理员",
        "你將「Bo」、「Cy」設為管理員",
        "You gave Bo and Cy the admin role",
      ],
      target: ["“Ann”将你设为管理员", "「Ann」將你設為管理員", "Ann gave you the admin role"],
      oneOf: [
        "“Ann”将你和“Bo”、“Cy”设为管理员",
        "「Ann」將你和「Bo」、「Cy」設為管理員",
        "Ann gave you, Bo and Cy the admin role",
      ],
    },
    "group.adminRemoved": {
      nobody: [
        "“Ann”取消了“Bo”、“Cy”的管理员身份",
        "「Ann」取消了「Bo」、「Cy」的管理員身分",
        "Ann took the admin role from Bo and Cy",
      ],
      actor: [
        "你取消了“Bo”、“Cy”的管理员身份",
        "你取消了「Bo」、「Cy」的管理員身分",
        "You took the admin role from Bo and Cy",
      ],
      target: [
        "“Ann”取消了你的管理员身份",
        "「Ann」取消了你的管理員身分",
        "Ann took the admin role from you",
      ],
      oneOf: [
        "“Ann”取消了你和“Bo”、“Cy”的管理员身份",
        "「Ann」取消了你和「Bo」、「Cy」的管理員身分",
        "Ann took the admin role from you, Bo and Cy",
      ],
    },
    "group.transferred": {
      nobody: [
        "“Ann”将群主转让给了“Bo”、“Cy”",
        "「Ann」將群主轉讓給了「Bo」、「Cy」",
        "Ann handed the group over to Bo and Cy",
      ],
      actor: [
        "你将群主转让给了“Bo”、“Cy”",
        "你將群主轉讓給了「Bo」、「Cy」",
        "You handed the group over to Bo and Cy",
      ],
      target: ["“Ann”将群主转让给了你", "「Ann」將群主轉讓給了你", "Ann handed the group over to you"],
      oneOf: [
        "“Ann”将群主转让给了你和“Bo”、“Cy”",
        "「Ann」將群主轉讓給了你和「Bo」、「Cy」",
        "Ann handed the group over to you, Bo and Cy",
      ],
    },
    "group.ownerLeft": {
      nobody: ["“Ann”成为新群主", "「Ann」成為新群主", "Ann is the new owner"],
      actor: ["你成为新群主", "你成為新群主", "You are the new owner"],
    },
    "group.dissolved": {
      nobody: ["群聊已被“Ann”解散", "群組已被「Ann」解散", "Ann dissolved the group"],
      actor: ["群聊已被你解散", "群組已被你解散", "You dissolved the group"],
    },
    "group.banned": {
      nobody: [
        "群聊已被管理员封禁，原因：spam",
        "群組已被管理員停權，原因：spam",
        "This group has been banned by administrator. Reason: spam",
      ],
    },
    "group.callStarted": {
      nobody: ["“Ann”发起了语音通话", "「Ann」發起了語音通話", "Ann started a call"],
      actor: ["你发起了语音通话", "你發起了語音通話", "You started a call"],
    },
    "group.callEnded": {
      nobody: ["通话结束", "通話結束", "The call has ended"],
    },
    "group.unbanned": {
      nobody: ["群聊已解除封禁", "群組已解除停權", "This group is no longer banned"],
    },
  };

  /** The tip as the server stores it if the reader has this role, and the sender of its message. */
  function tipFor(key: TipKey, role: string) {
    const roleParams: { name?: string; author?: string; names?: string } = TIPS[key];
    const by = role === "actor" ? SELF : ANN;
    const author = role === "author" ? SELF : BO;
    const targets = { nobody: [BO, CY], actor: [BO, CY], author: [], target: [SELF], oneOf: [BO, SELF, CY] }[
      role
    ];
    const params = {
      ...(roleParams.name !== undefined && { name: by.name }),
      ...(roleParams.name === "nameId" && { nameId: by.id }),
      ...(roleParams.author !== undefined && { author: author.name }),
      ...(roleParams.names !== undefined && nameParams(targets ?? [])),
      group: "Tilers",
      reason: "spam",
    };
    return { tip: { key, params }, sendId: roleParams.author === undefined ? by.id : author.id };
  }

  const render = (tip: Parameters<typeof tipText>[0], sendId = ANN.id) =>
    tipText(tip, { sendId, content: "" }, ME, currentText());

  beforeAll(async () => {
    Object.assign(globalThis, { document: { documentElement: {} } });
    await startLanguage("en-US");
  });

  describe("the text of a tip", () => {
    const cases = Object.entries(SENTENCES).flatMap(([key, roles]) =>
      Object.entries<Translations>(roles).flatMap(([role, expected]) =>
        LOCALES.map((locale, i) => ({ key: key as TipKey, role, locale, expected: expected[i] ?? "" })),
      ),
    );
    test.for(cases)(
      "D151 $key with the reader as $role in $locale: $expected",
      async ({ key, role, locale, expected }) => {
        await setLanguage(locale);
        const { tip, sendId } = tipFor(key, role);
        expect(render(tip, sendId)).toBe(expected);
      },
    );

    test("D151 an old tip without ids names everybody but the actor", async () => {
      await setLanguage("en-US");
      const params = { name: "Ann", names: "Bo,Myself" };
      expect(render({ key: "group.invited", params })).toBe("Ann invited Bo and Myself to the group");
      expect(render({ key: "group.invited", params }, ME)).toBe("You invited Bo and Myself to the group");
      const recalled = { key: "recalledBy", params: { name: "Myself", author: "Bo" } };
      expect(render(recalled, BO.id)).toBe("Myself recalled a message of Bo");
    });

    test("D152 names are inserted literally whatever characters they contain", () => {
      const people = [
        { id: 2, name: "Doe, John" },
        { id: 3, name: "Bo\\" },
      ];
      const tip = { key: "group.invited", params: { name: "Ann, B.", ...nameParams(people) } };
      expect(render(tip)).toBe("Ann, B. invited Doe, John and Bo\\ to the group");
    });

    test("D7 lists the first of many names and the number of the others", async () => {
      const textFor = (count: number, ...first: { id: number; name: string }[]) => {
        const others = Array.from({ length: count - first.length }, (_, n) => ({
          id: 100 + n,
          name: `P${n + 1}`,
        }));
        return render({
          key: "group.invited",
          params: { name: "Ann", ...nameParams([...others, ...first]) },
        });
      };
      expect(textFor(5)).toBe("Ann invited P1, P2, P3, P4 and P5 to the group");
      expect(textFor(6)).toBe("Ann invited P1, P2, P3 and 3 others to the group");
      expect(textFor(45)).toBe("Ann invited P1, P2, P3 and 42 others to the group");
      expect(textFor(5, SELF)).toBe("Ann invited you, P1, P2, P3 and P4 to the group");
      expect(textFor(45, SELF)).toBe("Ann invited you, P1, P2 and 42 others to the group");
      await setLanguage("zh-CN");
      expect(textFor(45)).toBe("“Ann”邀请“P1”、“P2”、“P3”和其他 42 人加入了群聊");
      expect(textFor(45, SELF)).toBe("“Ann”邀请你和“P1”、“P2”和其他 42 人加入了群聊");
    });

    test("an unknown tip of a newer server shows the server's text", () => {
      const tip = { key: "group.unheard", params: {} };
      expect(tipText(tip, { sendId: 1, content: "服务器的话" }, ME, currentText())).toBe("服务器的话");
    });
  });
});
