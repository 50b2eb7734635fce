import { describe, expect, test } from "vitest";
import { MessageType } from "./codes.ts";
import { parseServerFrame } from "./received-frame.ts";
import { CONTENT_EXAMPLES } from "./kind-examples.ts";
import { KINDS, kindOf } from "./message.ts";
import { pathOf } from "./endpoint.ts";
import { findUser, findUsersByName } from "./endpoints/users.ts";

const typesWhere = (predicate: (kind: NonNullable<ReturnType<typeof kindOf>>) => boolean) =>
  Object.values(MessageType).filter((type) => {
    const kind = kindOf(type);
    return kind !== undefined && predicate(kind);
  });

describe("the table of kinds", () => {
  test("has the same names as the message types", () => {
    for (const [name, type] of Object.entries(MessageType)) expect(KINDS[type].name).toBe(name);
  });

  test("stores 0-7, 10, 21, 40, 41, 53, 60, 61, 88, 92, 93 and nothing else", () => {
    const stored = [0, 1, 2, 3, 4, 5, 6, 7, 10, 21, 40, 41, 53, 60, 61, 88, 92, 93];
    expect(typesWhere((kind) => kind.stored)).toEqual(stored);
  });

  test("counts messages, notices and requests as unread, and calls if they were missed", () => {
    expect(typesWhere((kind) => kind.unread === true)).toEqual([0, 1, 2, 3, 4, 5, 6, 53, 60, 61, 88, 92, 93]);
    expect(typesWhere((kind) => kind.unread === "missed")).toEqual([40, 41]);
  });

  test("lets clients send 0-4, 7, 88, 92, 93, and with money cards on also 5 and 6", () => {
    expect(typesWhere((kind) => kind.sendable === true)).toEqual([0, 1, 2, 3, 4, 7, 88, 92, 93]);
    expect(typesWhere((kind) => kind.sendable === "money")).toEqual([5, 6]);
  });

  test("has the signalling numbers 100-110 and 200-211", () => {
    const rtc = Object.values(MessageType).filter((type) => type >= 100);
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(rtc).toEqual([...range(100, 110), ...range(200, 211)]);
  });

  test("names only fields of the content", () => {
    for (const type of Object.values(MessageType)) {
      const { schema, searched, previewField, maxLengths = {} } = kindOf(type) ?? {};
      const named = [
        ...(Array.isArray(searched) ? searched : []),
        previewField ?? undefined,
        ...Object.keys(maxLengths),
      ];
      const fields = schema !== undefined && "shape" in schema ? Object.keys(schema.shape as object) : [];
      expect([...fields, undefined], `type ${type}`).toEqual(expect.arrayContaining(named));
    }
  });

  test("accepts its examples", () => {
    for (const [type, contents] of Object.entries(CONTENT_EXAMPLES)) {
      const accepted = contents.map((content) => kindOf(Number(type))?.schema?.safeParse(content).success);
      expect(accepted, `type ${type}`).toEqual(contents.map(() => true));
    }
  });

  test("rejects a JSON content with a file of another server", () => {
    const image = { originUrl: "/files/ab/1.png", thumbUrl: "/files/ab/1.webp", width: 1, height: 1 };
    expect(KINDS[MessageType.IMAGE].schema.safeParse(image).success).toBe(true);
    const foreign = { ...image, originUrl: "https://elsewhere.example/1.png" };
    expect(KINDS[MessageType.IMAGE].schema.safeParse(foreign).success).toBe(false);
  });
});

describe("the content", () => {
  const isAccepted = (type: MessageType, content: object) => kindOf(type)?.schema?.safeParse(content).success;
  const url = "/files/a/b.png";

  test("a type that only a newer server knows has no kind", () => {
    expect(kindOf(999)).toBeUndefined();
  });

  test("a placeholder is base64 of at most 400 characters, and may be absent", () => {
    const image = { originUrl: url, thumbUrl: url, width: 1, height: 1 };
    const video = { videoUrl: url, coverUrl: url, width: 1, height: 1 };
    for (const [type, content] of [
      [MessageType.IMAGE, image],
      [MessageType.VIDEO, video],
    ] as const) {
      expect(isAccepted(type, content)).toBe(true);
      for (const good of ["AAAA", "ab+/cd==", "ab+/cde=", "A".repeat(400)])
        expect(isAccepted(type, { ...content, placeholder: good }), good).toBe(true);
      for (const bad of ["", "AAA", "A===", "data:AAA", "A".repeat(404), 7, null])
        expect(isAccepted(type, { ...content, placeholder: bad }), String(bad)).toBe(false);
    }
  });

  test("a voice message may have 24 to 64 bars, a video its seconds", () => {
    const audio = { duration: 1.5, url };
    for (const good of [undefined, "0".repeat(24), "0aF9".repeat(16)])
      expect(isAccepted(MessageType.AUDIO, { ...audio, wave: good })).toBe(true);
    for (const bad of ["", "0".repeat(23), "0".repeat(65), "g".repeat(24), `${"0".repeat(24)}\n`, null])
      expect(isAccepted(MessageType.AUDIO, { ...audio, wave: bad }), String(bad)).toBe(false);
    const video = { videoUrl: url, coverUrl: url, width: 1, height: 1 };
    expect(isAccepted(MessageType.VIDEO, { ...video, duration: 0.4 })).toBe(true);
    expect(isAccepted(MessageType.VIDEO, { ...video, duration: -1 })).toBe(false);
  });

  test("a picture has sides of 0 to 100,000 pixels", () => {
    const image = { originUrl: url, thumbUrl: url, width: 0, height: 100_000 };
    expect(isAccepted(MessageType.IMAGE, image)).toBe(true);
    expect(isAccepted(MessageType.IMAGE, { ...image, width: -1 })).toBe(false);
    expect(isAccepted(MessageType.IMAGE, { ...image, height: 100_001 })).toBe(false);
  });

  test("a file size and a duration are not negative", () => {
    expect(isAccepted(MessageType.FILE, { name: "a", size: 0, url })).toBe(true);
    expect(isAccepted(MessageType.FILE, { name: "a", size: -1, url })).toBe(false);
    expect(isAccepted(MessageType.FILE, { name: "a\0", size: 0, url })).toBe(false);
    expect(isAccepted(MessageType.AUDIO, { duration: 0, url })).toBe(true);
    expect(isAccepted(MessageType.AUDIO, { duration: -1, url })).toBe(false);
  });

  test("a location has a valid latitude and longitude, or words", () => {
    const place = (latitude: number | null, longitude: number | null, name = "", address = "") =>
      isAccepted(MessageType.LOCATION, { latitude, longitude, name, address });
    expect([place(90, 180), place(-90, -180), place(0, 0)]).toEqual([true, true, true]);
    expect([place(91, 0), place(-91, 0), place(0, 181), place(0, -181)]).not.toContain(true);
    expect([place(null, 0, "Bern"), place(0, null, "Bern")]).toEqual([false, false]);
    expect([place(null, null, "Bern"), place(null, null, "", "Main street")]).toEqual([true, true]);
    expect([place(null, null), place(null, null, " ", "\n")]).toEqual([false, false]);
  });
});

describe("frames", () => {
  test("text that is not a frame is parsed as null", () => {
    for (const text of ["", "{", "1", "null", "[]", '{"cmd":9}', '{"cmd":3}', '{"cmd":3,"data":{}}']) {
      expect(parseServerFrame(text)).toBeNull();
    }
  });

  test("unknown message types and fields are kept", () => {
    expect(parseServerFrame('{"cmd":3,"data":{"type":999,"x":1}}')).toEqual({
      cmd: 3,
      data: { type: 999, x: 1 },
    });
  });
});

describe("paths", () => {
  test("parameters and queries are encoded, and absent queries are left out", () => {
    expect(pathOf(findUser, { params: { id: 7 } })).toBe("/user/find/7");
    expect(pathOf(findUsersByName, { query: { name: "a&b 林", other: undefined } })).toBe(
      "/user/findByName?name=a%26b%20%E6%9E%97",
    );
    expect(pathOf(findUsersByName, { query: { name: null } })).toBe("/user/findByName");
    expect(pathOf(findUsersByName, { query: { a: 0, b: false } })).toBe("/user/findByName?a=0&b=false");
    expect(pathOf(findUsersByName, {})).toBe("/user/findByName");
    expect(pathOf(findUser, { params: { id: "a/b" } })).toBe("/user/find/a%2Fb");
  });
});
