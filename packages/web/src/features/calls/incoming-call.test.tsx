import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NO_DEVICES, NO_MEDIA, type GroupCallView } from "@parley/core/model/calls/call";
import { GROUP } from "@parley/core/testing/builders";
import { createLoggedInClient } from "@parley/core/testing/single-client";
import { ClientProvider } from "../../kit/loading/use-client.ts";
import { useHost } from "./incoming-call.tsx";

const STRANGER = 77;

test("a person who calls a group is named as in the call, if they are no friend and the members are not loaded", async () => {
  const { client } = await createLoggedInClient();
  const call: GroupCallView = {
    kind: "group",
    groupId: GROUP,
    stage: "ringing",
    hostId: STRANGER,
    people: [{ ...NO_MEDIA, userId: STRANGER, nickName: "Cleo", headImage: null, isIn: true }],
    seconds: null,
    local: NO_DEVICES,
    isSocketLost: false,
  };
  const Host = () => useHost(call).name;
  const shown = renderToStaticMarkup(
    <ClientProvider value={client}>
      <Host />
    </ClientProvider>,
  );
  expect(shown).toBe("Cleo");
});
