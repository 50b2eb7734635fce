import { expect, test } from "vitest";
import { MessageType } from "./codes.ts";
import { searchableContent } from "./searchable-content.ts";

test.each([
  [MessageType.TEXT, "hello #微笑;", "hello #微笑;"],
  [MessageType.FILE, `{"name":"plan.pdf","size":1,"url":"/files/a/b"}`, "plan.pdf"],
  [MessageType.LOCATION, `{"latitude":1,"longitude":2,"name":"外滩","address":"中山路"}`, "外滩\n中山路"],
  [MessageType.BUSINESS_CARD, `{"userId":7,"nickName":"安","headImage":null}`, "安"],
  [MessageType.IMAGE, `{"originUrl":"/files/a/b","thumbUrl":"/files/a/c","width":1,"height":1}`, ""],
  [MessageType.LOCATION, "broken", ""],
  [MessageType.LOCATION, "null", ""],
  [MessageType.TIP_TEXT, "安撤回了一条消息", ""],
  [MessageType.TIP_TIME, "1700000000000", ""],
  [MessageType.REDENVELOPE, `{"packetNo":"1","message":"luck"}`, "luck"],
  [MessageType.TRANSFER, `{"transferNo":"1","amount":1,"remark":"rent"}`, "rent"],
  [MessageType.LOCATION, `{"name":7,"address":"中山路"}`, "中山路"],
  [MessageType.LOCATION, `"name"`, ""],
  [MessageType.EDIT, "new text", ""],
  [MessageType.RECALL, "17", ""],
  [999, "what is this", ""],
])("the searched text of a message of type %d with content %j is %j", (type, content, expected) => {
  expect(searchableContent(type, content)).toBe(expected);
});
