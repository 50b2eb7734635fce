/** FIREFOX-CALL: a video call between Chromium and Firefox, in both directions, in which both see and hear the other one. */
import type { Browser } from "@playwright/test";
import type { Report } from "@parley/reliability/faults/report";
import { befriend, createAccount, PASSWORD } from "../api.ts";
import { AUDIBLE, hears, measureLoudness, measureMotion, pictureMotion } from "../call-media.ts";
import { answer, callWindow, hangUp, patient, picture, prompt, timer } from "../calls.ts";
import { Person } from "../person.ts";
import { startServer } from "../server.ts";
import { launchFirefox } from "./firefox.ts";
import { startLoudspeaker } from "./loudspeaker.ts";
import { until, Visitor } from "./visitor.ts";

const LISTEN_MS = 1_500;
const DIALOG = { css: "[role=dialog]" };

/** Lin is at Chromium, Bo at Firefox. */
export async function runFirefoxCall(chromium: Browser): Promise<Report> {
  const server = await startServer();
  const violations: string[] = [];
  const measured: string[] = [];
  const loudspeaker = await startLoudspeaker();
  const firefox = await launchFirefox(loudspeaker.env).catch(async (error: unknown) => {
    await loudspeaker.close();
    await server.dispose();
    throw error;
  });
  const bo = new Visitor(firefox, "en-US");
  try {
    const accounts = {
      lin: await createAccount(server.url, "lin", "Lin"),
      bo: await createAccount(server.url, "bo", "Bo"),
    };
    await befriend(accounts.lin, accounts.bo);
    const lin = await Person.create(chromium, server.url, {
      language: "en-US",
      userName: "lin",
      nickName: "Lin",
    });
    await lin.openAndLogIn();
    await lin.openChat("Bo");
    await firefox.open(server.url);
    await bo.fill(bo.field("login.username"), "bo");
    await bo.fill(bo.field("login.password"), PASSWORD);
    await bo.click(bo.button("login.submit"));
    await bo.click(bo.row("Lin"));

    const expectMedia = async (what: string) => {
      await patient(timer(lin)).toBeVisible();
      await patient.poll(() => pictureMotion(picture(lin))).toBeGreaterThan(0.001);
      await patient.poll(() => hears(lin.page, 1)).toBe(true);
      const motion = `(${String(measureMotion)})(document.querySelector("[role=dialog] video"))`;
      const moved = await until("Firefox shows a moving picture", async () => {
        const share = Number(await firefox.evaluate(motion));
        return share > 0.01 && share;
      });
      const loud = await until("Firefox plays the voice", async () => {
        const levels = (await firefox.evaluate(`(${String(measureLoudness)})(${LISTEN_MS})`)) as number[];
        const loudest = Math.max(...levels);
        return levels.length === 1 && loudest > AUDIBLE && loudest;
      });
      measured.push(`${what}: Firefox sees ${(moved * 100).toFixed(0)} % move and hears ${loud} of 255`);
    };

    await lin.button("call.video").first().click();
    await bo.click(bo.button("call.accept"));
    await expectMedia("called by Chromium");
    await hangUp(lin);
    await bo.see(DIALOG, 0);

    await bo.click(bo.button("call.video"));
    await patient(prompt(lin)).toBeVisible();
    await answer(lin);
    await expectMedia("called by Firefox");
    await bo.click(bo.button("call.hangUp"));
    await patient(callWindow(lin)).toHaveCount(0);
    violations.push(...lin.console.unexpectedErrors(), ...(await firefox.errors()));
    await lin.context.close();
  } catch (error) {
    violations.push(`${String(error)}; Firefox shows ${await bo.describePage()}`);
  } finally {
    await firefox.close();
    await loudspeaker.close();
    await server.dispose();
  }
  return { name: "FIREFOX-CALL", done: `${firefox.name}. ${measured.join(". ")}`, violations };
}
