/** Sends the pictures, files, voice message and video of the demo data: as clients do it, to a server that runs for it. */
import { MessageType } from "@parley/protocol/codes";
import { type AnswerOf, type BodyOf, type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { TokenPair } from "@parley/protocol/entities";
import type { Envelope } from "@parley/protocol/envelope";
import { createApp } from "../../runtime/app.ts";
import { type Config, loadConfig } from "../../config/config.ts";
import { VIDEO_SECONDS, hum, readMedia } from "./demo-media.ts";
import { DEMO_TEXTS } from "./seed-data.ts";

const MINUTE = 60_000;
/** Time between two messages. */
const STEP = 20_000;
const VOICE_SECONDS = 7;

/** Somebody who can log in. */
export interface DemoLogin {
  userName: string;
  password: string;
}

/** Who sends, to whom, and when. */
export interface DemoMediaOptions {
  logins: readonly DemoLogin[];
  /** The name of a group of all logins. */
  groupName: string;
  /** The messages end a few minutes before this time. */
  now: number;
}

/** Sends media between the first three logins and in the group. The store of `config` must be closed. Returns how many messages were sent. */
export async function sendMedia(
  config: Config,
  { logins, groupName, now }: DemoMediaOptions,
): Promise<number> {
  let time = now - 10 * MINUTE;
  // Reachable from this machine only, on any free port, whatever the operator has configured.
  const own = loadConfig({
    DATA_DIR: config.DATA_DIR,
    HOST: "127.0.0.1",
    PORT: "0",
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PASSWORD_COST: config.PASSWORD_COST,
    DEFAULT_LANGUAGE: config.DEFAULT_LANGUAGE,
    ...(config.SECRET !== undefined && { SECRET: config.SECRET }),
  });
  const app = createApp(own, { now: () => time });
  await app.start();
  try {
    const url = `http://127.0.0.1:${app.port}`;
    const [ann, bob, cat] = await Promise.all(logins.slice(0, 3).map((login) => logIn(url, login)));
    if (ann === undefined || bob === undefined || cat === undefined)
      throw new Error("three logins are needed");
    const group = (await ann.call(ENDPOINTS.listGroups)).find(({ name }) => name === groupName);
    if (group === undefined) throw new Error(`there is no group ${groupName}`);
    let sent = 0;
    const send = async (from: DemoClient, chat: Chat, type: MessageType, content: object | string) => {
      time += STEP;
      await from.send(chat, type, typeof content === "string" ? content : JSON.stringify(content));
      sent += 1;
    };
    const sendFile = async (from: DemoClient, chat: Chat, name: string) => {
      const data = await readMedia("route.pdf");
      const content = {
        name,
        size: data.length,
        url: await from.upload(ENDPOINTS.uploadFile, { file: data }),
      };
      await send(from, chat, MessageType.FILE, content);
    };
    const sendPicture = async (from: DemoClient, chat: Chat, number: number) => {
      const file = await readMedia(`landscape-${number}.jpg`);
      await send(from, chat, MessageType.IMAGE, await from.upload(ENDPOINTS.uploadImage, { file }));
    };

    for (const [one, other, script] of [
      [ann, cat, DEMO_TEXTS.zh.media],
      [ann, bob, DEMO_TEXTS.en.media],
    ] as const) {
      const [toOther, toOne] = [{ recvId: other.id }, { recvId: one.id }];
      await send(one, toOther, MessageType.TEXT, script.pictures);
      for (let number = 1; number <= 4; number++) await sendPicture(one, toOther, number);
      await send(other, toOne, MessageType.TEXT, script.answer);
      const { data, duration, wave } = hum(VOICE_SECONDS);
      const url = await other.upload(ENDPOINTS.uploadFile, { file: data });
      await send(other, toOne, MessageType.AUDIO, { duration, url, wave });
      await sendFile(one, toOther, script.list);
      await send(one, toOther, MessageType.TEXT, script.thanks);
      const files = { file: await readMedia("boat.webm"), cover: await readMedia("boat.jpg") };
      const uploaded = await other.upload(ENDPOINTS.uploadVideo, files);
      await send(other, toOne, MessageType.VIDEO, { ...uploaded, duration: VIDEO_SECONDS });
    }
    const inGroup = { groupId: group.id };
    await sendPicture(bob, inGroup, 2);
    await sendPicture(cat, inGroup, 3);
    await sendFile(cat, inGroup, DEMO_TEXTS.zh.media.list);
    for (const client of [ann, bob, cat]) await client.call(ENDPOINTS.logout);
    return sent;
  } finally {
    await app.stop();
  }
}

type Chat = { recvId: number } | { groupId: number };

interface DemoClient {
  id: number;
  call<E extends Endpoint>(endpoint: E, body?: BodyOf<E>): Promise<AnswerOf<E>>;
  upload<E extends Endpoint>(endpoint: E, files: Readonly<Record<string, Buffer>>): Promise<AnswerOf<E>>;
  send(chat: Chat, type: MessageType, content: string): Promise<void>;
}

async function logIn(url: string, { userName, password }: DemoLogin): Promise<DemoClient> {
  const { accessToken } = await request<TokenPair>(
    url,
    ENDPOINTS.login,
    {},
    { terminal: 2, userName, password },
  );
  const headers = { accessToken: encodeURIComponent(accessToken), terminal: "2" };
  const client: DemoClient = {
    id: 0,
    call: (endpoint, body) => request(url, endpoint, headers, body),
    upload(endpoint, files) {
      const form = new FormData();
      for (const [field, data] of Object.entries(files))
        form.set(field, new Blob([new Uint8Array(data)]), field);
      return request(url, endpoint, headers, form);
    },
    async send(chat, type, content) {
      if ("recvId" in chat) await client.call(ENDPOINTS.sendPrivateMessage, { ...chat, type, content });
      else await client.call(ENDPOINTS.sendGroupMessage, { ...chat, type, content });
    },
  };
  client.id = (await client.call(ENDPOINTS.self)).id;
  return client;
}

async function request<Data>(
  url: string,
  endpoint: Endpoint,
  headers: Record<string, string>,
  body: unknown,
): Promise<Data> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}/api${pathOf(endpoint, {})}`, {
    method: endpoint.method,
    headers: { ...headers, ...(body !== undefined && !isForm && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const envelope = (await response.json()) as Envelope;
  if (envelope.code !== 200) throw new Error(`${endpoint.path} answered ${JSON.stringify(envelope)}`);
  // The server answers by the schema of the endpoint.
  return envelope.data as Data;
}
