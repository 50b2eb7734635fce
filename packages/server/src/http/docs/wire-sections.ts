/** Sections about the envelope, the socket and messages. */
import type * as z from "zod/mini";
import { CloseCode, Cmd, Code } from "@parley/protocol/codes";
import { LOGOUT_REASONS } from "@parley/protocol/envelope";
import { ERROR_SENTENCES, ERRORS, type ErrorKey } from "@parley/protocol/errors";
import { CAPABILITIES, loginData } from "@parley/protocol/frame";
import { REFRESH_HEADER, REQUEST_HEADERS } from "@parley/protocol/headers";
import { CONTENT_EXAMPLES, KIND_DESCRIPTIONS } from "@parley/protocol/kind-examples";
import * as limits from "@parley/protocol/limits";
import { KINDS, type Kind, groupMessage, privateMessage, systemMessage } from "@parley/protocol/message";
import { groupSignal, privateSignal, systemSignal } from "@parley/protocol/signal";
import { type Html, code, html, table } from "./html-template.ts";
import {
  CLOSE_CODE_DESCRIPTIONS,
  CODE_DESCRIPTIONS,
  SERVER_FRAME_DESCRIPTIONS,
  HEADER_DESCRIPTIONS,
  LOGOUT_REASON_DESCRIPTIONS,
  CLIENT_FRAME_DESCRIPTIONS,
} from "./descriptions.ts";
import { shapeOf } from "./schema-shape.ts";

/** `Object.entries` with typed keys. */
function entries<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][];
}

const yesOrEmpty = (value: boolean) => (value ? "yes" : "");

/** The answers, error codes and headers of HTTP calls. */
export function envelopeSection(): Html {
  return html`<section>
    <h2 id="envelope">Answers</h2>
    <p>
      Every answer is JSON: <code>{ code, message, data }</code>. Code 200 means success, and data is the
      result of the call. Otherwise message is a sentence in the language of <code>Accept-Language</code>
      (zh-CN, zh-TW, en; zh-CN without it), key is the reason, and params are the values in the sentence. An
      error that is part of a call's rules has HTTP status 200. Unknown fields are ignored; absent values are
      null; times are epoch milliseconds; ids are whole numbers below 2<sup>53</sup>.
    </p>
    ${table(
      ["Code", "Meaning"],
      entries(Code).map(([name, value]) => [code(value), CODE_DESCRIPTIONS[name]]),
    )}
    <h2 id="errors">Errors</h2>
    ${table(
      ["Key", "Code", "HTTP", "Message in English"],
      entries(ERRORS).map(([key, error]) => errorRow(key, error)),
    )}
    <h2 id="headers">Headers</h2>
    <p>Values are URI-encoded.</p>
    ${table(
      ["Header", "Meaning"],
      ([...REQUEST_HEADERS, REFRESH_HEADER] as const).map((name) => [code(name), HEADER_DESCRIPTIONS[name]]),
    )}
  </section>`;
}

function errorRow(key: ErrorKey, error: { code: number; http: number }): (string | number | Html)[] {
  return [code(key), error.code, error.http, ERROR_SENTENCES[key].en];
}

/** The frames and close codes of the socket. */
export function socketSection(): Html {
  return html`<section>
    <h2 id="socket">The socket</h2>
    <p>
      A WebSocket at <code>/im</code>. Frames are text, JSON <code>{ cmd, data }</code>. Clients send messages
      by HTTP, never on the socket; the server stores them and then pushes them. After the login, call the
      three <code>pullOfflineMessage</code> with the highest id you have. Each pushes type 30 "true" if rows
      follow, the rows in ascending order, and type 30 "false" at its end.
    </p>
    <h3>From the client</h3>
    ${table(
      ["cmd", "Meaning"],
      CLIENT_FRAME_DESCRIPTIONS.map(([cmd, meaning]) => [code(cmd), meaning]),
    )}
    <p>
      Data of the login. Known capabilities (caps) are ${CAPABILITIES.map((name) => html`${code(name)} `)}
    </p>
    <pre tabindex="0"><code>${shapeOf(loginData)}</code></pre>
    <h3>From the server</h3>
    ${table(
      ["cmd", "data", "Meaning"],
      entries(Cmd).map(([name, cmd]) => [code(cmd), ...SERVER_FRAME_DESCRIPTIONS[name]]),
    )}
    ${table(
      ["Reason of cmd 2", "Meaning"],
      LOGOUT_REASONS.map((reason) => [code(reason), LOGOUT_REASON_DESCRIPTIONS[reason]]),
    )}
    <h3>Close codes</h3>
    ${table(
      ["Code", "Meaning"],
      entries(CloseCode).map(([name, value]) => [code(value), CLOSE_CODE_DESCRIPTIONS[name]]),
    )}
  </section>`;
}

/** The message rows, kinds and limits. */
export function messageSection(): Html {
  return html`<section>
    <h2 id="messages">Messages</h2>
    <p>
      Stored messages have an id and are returned by pulls and history; all others are signals, which are
      pushed once. A quote of a recalled message has status 2 and a sentence as its content. Contents that are
      JSON are sent as a JSON string. Files named in contents must have been uploaded to this server.
    </p>
    ${shapeDetails("Private message", privateMessage)}${shapeDetails("Group message", groupMessage)}
    ${shapeDetails("System message", systemMessage)}${shapeDetails("Signals in private frames", privateSignal)}
    ${shapeDetails("Signals in group frames", groupSignal)}${shapeDetails("Signals in system frames", systemSignal)}
    <h3 id="kinds">Message kinds</h3>
    ${table(
      ["Type", "Name", "Meaning", "Content", "Chats", "Stored", "Unread", "You may send it"],
      entries(KINDS as Readonly<Record<string, Kind>>).map(([type, kind]) => kindRow(type, kind)),
    )}
    <h2 id="limits">Limits and times</h2>
    <p>The names contain the units; lengths count Unicode code points.</p>
    ${table(
      ["Name", "Value"],
      Object.entries(limits).map(([name, value]) => [code(name), value.toLocaleString("en")]),
    )}
  </section>`;
}

function shapeDetails(name: string, schema: z.ZodMiniType): Html {
  return html`<details>
    <summary>${name}</summary>
    <pre tabindex="0"><code>${shapeOf(schema)}</code></pre>
  </details>`;
}

function kindRow(type: string, kind: Kind): (string | Html)[] {
  const examples = (CONTENT_EXAMPLES as Readonly<Record<string, readonly object[]>>)[type] ?? [];
  const content =
    kind.schema === undefined
      ? kind.content
      : html`<pre><code>${shapeOf(kind.schema)}</code></pre>
          ${examples.map(
            (example) =>
              html`Example
                <pre><code>${JSON.stringify(example, null, 2)}</code></pre>`,
          )}`;
  const sendable = kind.sendable === "money" ? "with MONEY_CARDS=on" : yesOrEmpty(kind.sendable);
  return [
    code(type),
    code(kind.name),
    (KIND_DESCRIPTIONS as Readonly<Record<string, string>>)[type] ?? "",
    content,
    kind.chats.join(", ").toLowerCase(),
    yesOrEmpty(kind.stored),
    kind.unread === "missed" ? "when missed" : yesOrEmpty(kind.unread),
    sendable,
  ];
}
