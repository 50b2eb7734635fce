import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { Router } from "wouter";
import { NO_DEVICES, NO_MEDIA, type GroupCallView } from "@parley/core/model/calls/call";
import { GROUP } from "@parley/core/testing/builders";
import { createLoggedInClient } from "@parley/core/testing/single-client";
import { startLanguage } from "../../kit/i18n.ts";
import { ClientProvider } from "../../kit/use-client.ts";
import { IncomingCall } from "./incoming-call.tsx";

const STRANGER = 77;

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});

test("the call of a group names who calls, also if that is no friend and the members are not loaded", async () => {
  const { client } = await createLoggedInClient();
  const host = { ...NO_MEDIA, userId: STRANGER, nickName: "Cleo", headImage: null, isIn: true };
  const call: GroupCallView = {
    kind: "group",
    groupId: GROUP,
    stage: "ringing",
    hostId: STRANGER,
    people: [host],
    seconds: null,
    local: NO_DEVICES,
    isSocketLost: false,
  };
  const prompt = renderToStaticMarkup(
    <ClientProvider value={client}>
      <Router ssrPath="/home/chat">
        <IncomingCall call={call} />
      </Router>
    </ClientProvider>,
  );
  expect(prompt).toContain("Cleo invites you to a group call · 2 people");
});
