import { expect } from "@playwright/test";
import { isSampleText, REDIS_REASON } from "./admin-answers.ts";
import type { Person } from "./person.ts";

/** Whether the window shows one pane at a time. */
const isOnPhone = ({ page, options: { fontPx = 16 } }: Person): boolean =>
  (page.viewportSize()?.width ?? 1440) < 48 * fontPx;

/**
 * Texts on the page that are English sentences, four words or more, apart from those of the samples. On a Chinese page there must be none.
 */
export async function englishSentences({ page }: Person): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Element)
        for (const name of ["aria-label", "title", "placeholder", "alt"])
          found.push(node.getAttribute(name) ?? "");
      else if (node.parentElement?.closest("script, style, textarea") === null)
        found.push(node.textContent ?? "");
    }
    return found;
  });
  return texts.filter((text) => /[a-z]+( [a-z]+){3}/i.test(text) && !isSampleText(text));
}

/** Opens a page of the administration by its link. */
export async function openAdminPage(person: Person, path: string): Promise<void> {
  const { page } = person;
  if (isOnPhone(person) && !page.url().endsWith("/admin")) await person.button("admin.allPages").click();
  await page.getByRole("link", { name: person.t(`admin.page.${path}`), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: person.t(`admin.page.${path}`) })).toBeVisible();
}

/** Opens the row that begins with this name. */
export async function openAdminRow({ page }: Person, name: string): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: new RegExp(`^${name}`) })
    .first()
    .click();
}

const close = async (person: Person): Promise<void> => {
  const open = await person.dialog().count();
  await person.page.keyboard.press("Escape");
  await expect(person.dialog()).toHaveCount(open - 1);
};

/** Walks an administrator through all pages and dialogs, with the samples of `answerAsSamples`. Yields a name when each one is shown. */
export async function* visitAdminScreens(person: Person): AsyncGenerator<string> {
  const { page } = person;
  await person.open("/admin");
  if (isOnPhone(person)) {
    await expect(person.link("admin.page.people")).toBeVisible();
    yield "list of pages";
  }
  await openAdminPage(person, "overview");
  await expect(person.text("admin.finding.redisUnusable", { reason: REDIS_REASON })).toBeVisible();
  yield "overview";
  yield* visitPeople(person);
  yield* visitGroups(person);
  await openAdminPage(person, "invites");
  await expect(page.getByText("WELCOME7")).toBeVisible();
  yield "invite codes";
  await person.button("admin.invites.create").click();
  await person.field("admin.invites.uses").fill("many");
  yield "new invite code with an error";
  await person.field("admin.invites.uses").fill("3");
  await person.button("admin.invites.createNow").click();
  await expect(page.getByText("N3W-C0DE")).toBeVisible();
  // The list behind the dialog is paler while it is loaded again.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  yield "invite code made";
  await close(person);
  yield* visitNotices(person);
  yield* visitReports(person);
  await openAdminPage(person, "settings");
  await expect(person.field("admin.settings.recallSeconds")).toHaveValue("5");
  yield "server settings";
  await openAdminPage(person, "audit");
  await expect(page.getByText("203.0.113.9")).toBeVisible();
  yield "audit log";
}

async function* visitPeople(person: Person): AsyncGenerator<string> {
  const { page } = person;
  await openAdminPage(person, "people");
  await expect(page.getByText("person50", { exact: true })).toBeVisible();
  yield "people";
  await page.getByText(person.t("admin.people.filter.banned"), { exact: true }).first().click();
  await expect(person.text("admin.people.none")).toBeVisible();
  yield "no people";
  await page.getByText(person.t("admin.people.filter.all"), { exact: true }).click();
  await openAdminRow(person, "林晓2");
  await expect(page.getByText("Firefox 148 · Linux")).toBeVisible();
  yield "banned person";
  await close(person);
  await openAdminRow(person, "Wolfe");
  await expect(page.getByText("Firefox 148 · Linux")).toBeVisible();
  yield "person";
  await person.button("admin.person.ban").click();
  yield "reason of a ban";
  await close(person);
  await person.button("admin.person.resetPassword").click();
  yield "question before a password is reset";
  await person
    .dialog()
    .last()
    .getByRole("button", { name: person.t("admin.person.resetPassword") })
    .click();
  await expect(page.getByText("vivid-otter-42")).toBeVisible();
  yield "new password";
  await person.button("admin.password.done").click();
  await expect(page.getByText("vivid-otter-42")).toHaveCount(0);
  await close(person);
  await person.button("admin.people.create").click();
  await person.button("admin.people.createNow").click();
  yield "new person with errors";
  await close(person);
}

async function* visitGroups(person: Person): AsyncGenerator<string> {
  const { page } = person;
  await openAdminPage(person, "groups");
  await openAdminRow(person, "读书会 Readers 2");
  await expect(page.getByText("person3", { exact: true })).toBeVisible();
  yield "banned group";
  await close(person);
  yield "groups";
  await openAdminRow(person, "读书会 Readers 1");
  await person.button("admin.group.dissolve").click();
  yield "question before a group is dissolved";
  await close(person);
  await close(person);
}

async function* visitNotices(person: Person): AsyncGenerator<string> {
  const { page } = person;
  await openAdminPage(person, "notices");
  await expect(page.getByText("Maintenance on Sunday").first()).toBeVisible();
  yield "notices";
  await person.button("admin.notices.compose").click();
  await person.field("admin.notices.title").fill("Maintenance");
  await person.field("admin.notices.text").fill("The server will be away.");
  await person.dialog().getByText(person.t("admin.notices.chosen"), { exact: true }).click();
  await person.field("admin.notices.names").fill("lin, bo");
  yield "writing a notice";
  await person.button("admin.notices.preview").click();
  await person.button("admin.notices.publish").click();
  yield "question before a notice is published";
  await close(person);
  yield "preview of a notice";
  await page.keyboard.press("Escape");
  await person.answerDialog("discard.discard");
  await expect(person.dialog()).toHaveCount(0);
}

async function* visitReports(person: Person): AsyncGenerator<string> {
  await openAdminPage(person, "reports");
  await openAdminRow(person, person.t("admin.reports.message"));
  await expect(person.dialog().getByText("Buy now", { exact: false })).toBeVisible();
  yield "reported message";
  await person.button("admin.report.acted").click();
  yield "closing a report";
  await close(person);
  await close(person);
  yield "reports";
}
