import { CircleCheck, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import type { AdminNode, AdminOverview } from "@parley/protocol/admin-entities";
import { FINDINGS, type FindingKey } from "@parley/protocol/findings";
import { loadOverview } from "@parley/protocol/endpoints/admin-server";
import { fileSize } from "@parley/core/model/format";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import { useApi } from "../../kit/loading/use-client.ts";
import { useLoaded } from "../../kit/loading/use-loaded.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Card, Row, Stack, Text } from "../../ui/layout.tsx";
import { AdminPage, LoadedContent } from "./admin-page.tsx";
import styles from "./admin-page.module.css";
import { TimeText } from "./cells.tsx";

/** How the server is: counts, health, nodes. */
export function OverviewPage() {
  const t = useText();
  const api = useApi();
  const overview = useLoaded(() => api(loadOverview, {}));
  return (
    <AdminPage
      title={t("admin.page.overview")}
      actions={
        <Button isBusy={overview.isLoading} onClick={overview.reload}>
          {t("admin.refresh")}
        </Button>
      }
    >
      <LoadedContent loaded={overview}>
        {(value) => (
          <>
            <Counts overview={value} />
            <Health health={value.health} />
            <Nodes nodes={value.nodes} />
          </>
        )}
      </LoadedContent>
    </AdminPage>
  );
}

function Counts({ overview }: { overview: AdminOverview }) {
  const t = useText();
  const locale = useLocale();
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const { people, messages, files, databaseBytes, openReports } = overview;
  const counts = [
    {
      name: t("admin.count.people"),
      value: number(people.all),
      note: t("admin.count.peopleNote", { banned: people.banned, closed: people.unregistered }),
    },
    { name: t("admin.count.online"), value: number(people.online), note: t("admin.count.onlineNote") },
    { name: t("admin.count.messages"), value: number(messages), note: t("admin.count.messagesNote") },
    {
      name: t("admin.count.storage"),
      value: fileSize(files.bytes + databaseBytes),
      note: t("admin.count.storageNote", {
        files: fileSize(files.bytes),
        count: files.count,
        database: fileSize(databaseBytes),
      }),
    },
    {
      name: t("admin.count.reports"),
      value: number(openReports),
      note: <Link href="/admin/reports">{t("admin.count.reportsNote")}</Link>,
    },
  ];
  return (
    <dl className={styles.counts}>
      {counts.map(({ name, value, note }) => (
        <Card key={name} padding={16}>
          <Text as="dt" size={12} tone="tertiary">
            {name}
          </Text>
          <Stack as="dd" className={styles.count}>
            <Text size={20} weight="title">
              {value}
            </Text>
            <span className={styles.soft}>{note}</span>
          </Stack>
        </Card>
      ))}
    </dl>
  );
}

function Health({ health }: { health: AdminOverview["health"] }) {
  const t = useText();
  return (
    <section aria-label={t("admin.health.title")}>
      <h2 className={styles.heading}>{t("admin.health.title")}</h2>
      <Stack as="ul">
        {health.map(({ name, ok, ...found }) => (
          <Row as="li" key={name} wrap paddingY={8} className={styles.item}>
            <Text tone={ok ? "success" : "danger"}>
              {ok ? <CircleCheck {...ICON_PROPS} /> : <TriangleAlert {...ICON_PROPS} />}
            </Text>
            <span className={styles.itemWords}>
              <Text weight="name">{t(`admin.health.${name}`)}</Text>
              <br />
              {ok && <span className={styles.soft}>{t("admin.health.ok")}</span>}
              <Findings {...found} />
            </span>
          </Row>
        ))}
      </Stack>
    </section>
  );
}

/** The problems, in the language of the page. Problems that only another version of the server knows are shown in English. */
function Findings({
  sentence,
  findings = [],
}: Pick<AdminOverview["health"][number], "sentence" | "findings">) {
  const t = useText();
  const known = findings.flatMap(({ key, params }) => (isKnownFinding(key) ? [{ key, params }] : []));
  if (known.length === 0 && sentence !== "")
    return (
      <p className={styles.soft} lang="en">
        {sentence}
      </p>
    );
  return known.map(({ key, params }) => (
    <p key={key + JSON.stringify(params)} className={styles.soft}>
      {t(`admin.finding.${key}`, params)}
    </p>
  ));
}

function isKnownFinding(key: string): key is FindingKey {
  return Object.hasOwn(FINDINGS, key);
}

function Nodes({ nodes }: { nodes: readonly AdminNode[] }) {
  const t = useText();
  return (
    <section aria-label={t("admin.nodes.title")}>
      <h2 className={styles.heading}>{t("admin.nodes.title")}</h2>
      <Stack as="ul">
        {nodes.map((node) => (
          <Row as="li" key={node.id} wrap paddingY={8} className={styles.item}>
            <span className={styles.itemWords}>
              <code>{node.id}</code> {!node.isAlive && <Chip tone="warm">{t("admin.nodes.silent")}</Chip>}
              <br />
              <span className={styles.soft}>
                {t("admin.nodes.line", {
                  roles: node.roles.join(", "),
                  version: String(node.version),
                  sockets: node.sockets,
                })}
              </span>
            </span>
            <span className={styles.soft}>
              {t("admin.nodes.since")} <TimeText time={node.startedTime} />
              {" · "}
              {t("admin.nodes.seen")} <TimeText time={node.seenTime} />
            </span>
          </Row>
        ))}
      </Stack>
    </section>
  );
}
