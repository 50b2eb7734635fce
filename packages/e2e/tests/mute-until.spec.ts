import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

/** Chooses one of the times in the menu of a chat. */
async function muteFor(person: Person, name: string, time: string): Promise<void> {
  await person.row(name).click({ button: "right" });
  await person.menuItem("chatMenu.muteFor").click();
  await person.menuItem(time).click();
}

const mutedUntil = (person: Person) => new RegExp(person.t("chat.mutedUntil", { time: ".*\\d:\\d\\d" }));

test("MU3 MU4 MU6 MU7 a friend and a group are muted for a time on both devices, which say until when, and are loud again by hand", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const { nickName } = cast.lin;
  await sendText(friends.lin, friends.bo, "hello");
  const group = await createGroup(friends.lin, `Trip ${cast.bo.userName}`, [friends.bo]);
  await sendToGroup(friends.lin, group.id, "hello");
  const bo = await openSignedIn({ ...cast.bo, device: "one" });
  const other = await openSignedIn({ ...cast.bo, device: "one" });
  for (const [name, time] of [
    [nickName, "muteFor.hour"],
    [group.name, "muteFor.tomorrow"],
  ] as const) {
    await expect(bo.row(name)).not.toHaveAccessibleName(new RegExp(bo.t("chat.muted")));
    await muteFor(bo, name, time);
    for (const person of [bo, other]) await expect(person.row(name)).toHaveAccessibleName(mutedUntil(person));
  }
  await expect
    .poll(async () => {
      const groups = await friends.bo.call(ENDPOINTS.listGroups, {});
      return groups.find(({ id }) => id === group.id)?.msgRemindUntil;
    })
    .toBeGreaterThan(Date.now());

  await other.openChat(nickName);
  await other.button("chat.info").click();
  const panel = other.page.getByRole("complementary");
  const mute = panel.getByRole("switch", { name: other.t("chatMenu.mute") });
  await expect(mute).toBeChecked();
  await expect(mute).toHaveAccessibleDescription(new RegExp(other.t("remind.until", { time: "" })));
  await mute.click();
  await bo.row(group.name).click({ button: "right" });
  await bo.menuItem("remind.label").click();
  await bo.page.getByRole("menuitemradio", { name: bo.t("remind.0"), exact: true }).click();
  for (const person of [bo, other])
    for (const name of [nickName, group.name])
      await expect(person.row(name)).not.toHaveAccessibleName(new RegExp(person.t("chat.muted")));
});
