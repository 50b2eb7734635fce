/** Builds what administrators do: inside of a server, and for the command line without one. */
import type { Logger } from "pino";
import { recordAct } from "../../access/administration.ts";
import { type OpenedStore, openStore } from "../../adapters/store/open-store.ts";
import type { AdminServices } from "../admin-commands.ts";
import type { AdminHandlers } from "../../api/admin-act.ts";
import { createBackgroundTasks } from "../background-tasks.ts";
import { type Config, dataFolder, storeUrl } from "../../config/config.ts";
import { createDelivery } from "../../delivery/delivery.ts";
import { openDataFolder } from "../../config/environment.ts";
import { existingBlobs } from "../../config/existing-blobs.ts";
import { type Exports, createExports } from "../export-sources.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import { type AccountAdminDeps, createAccountAdmin } from "../../modules/account/account-admin.ts";
import { createSetupLinks } from "../../modules/account/first-admin.ts";
import { listAccounts } from "../../modules/account/list-accounts.ts";
import { createPasswordHasher } from "../../modules/account/password-hasher.ts";
import { createAdminCalls } from "../../modules/administration/admin-calls.ts";
import { createAuditLog } from "../../modules/administration/audit-log.ts";
import { type LiveSettings, createLiveSettings } from "../../modules/administration/live-settings.ts";
import { type OverviewDeps, createOverview } from "../../modules/administration/overview.ts";
import { createGroupAdmin } from "../../modules/groups/group-admin.ts";
import { createNotices } from "../../modules/notices/notices.ts";
import { type ReportAdminDeps, createReportAdmin } from "../../modules/reports/reports.ts";
import { noWebPush } from "../../modules/web-push/web-push.ts";
import { composeAccountStatus } from "../node.ts";
import { overviewChecksOf } from "../../doctor/overview-checks.ts";
import { ownInstallationOf } from "../../config/own-installation.ts";
import { noFailpoints } from "../../ports/failpoints.ts";
import { noMetrics } from "../../ports/metrics.ts";
import { listStats } from "../stats.ts";
import { openSharedServices } from "./open-shared-services.ts";
import { fallbackSettingsOf, isHttpsOf } from "./settings.ts";

/**
 * Opens the store for administration. Throws if a server is using it and the store allows one only, or if it was moved to another database.
 * After a restore it may have been moved. `isAlone`: throws if any server is using it, because its clients would go on with the former epoch.
 */
export async function composeAdmin(
  config: Config,
  log: Logger,
  { isRestored, isAlone }: { isRestored: boolean; isAlone: boolean },
): Promise<{ services: AdminServices; close(): Promise<void> }> {
  openDataFolder(dataFolder(config));
  const own = ownInstallationOf(config, isRestored);
  const store = await openStore({
    url: storeUrl(config),
    onFatal: () => {},
    expected: own.expected,
    mayBeMoved: isRestored,
    ...(isAlone && { servers: "none" }),
  });
  own.note(store.installation);
  const { bus, presence, connect, close } = await openSharedServices(config, store.epoch, log, noMetrics);
  await connect();
  // Nobody is connected here, but servers on other machines may use the same database.
  const delivery = createDelivery({
    bus,
    webPush: noWebPush,
    socketsOf: () => [],
    send: () => undefined,
    waitForDrain: async () => false,
    failpoint: noFailpoints,
  });
  const blobs = await existingBlobs(config);
  const common = { store, delivery, presence, defaultLanguage: config.DEFAULT_LANGUAGE, now: Date.now };
  const parts = {
    ...common,
    exports: createExports({ ...common, bus, blobs }),
    passwordHasher: createPasswordHasher(config.PASSWORD_COST),
    // A server deletes them with its next sweep.
    deleteReleasedFiles: () => {},
  };
  const background = createBackgroundTasks(log);
  const inBackground = background.add;
  const liveSettings = createLiveSettings({
    store,
    bus,
    fallback: fallbackSettingsOf(config),
    inBackground,
    log,
  });
  return {
    services: createAdminServices(
      {
        ...parts,
        liveSettings,
        inBackground,
        ownNode: undefined,
        checks: overviewChecksOf({
          config,
          store,
          blobs: undefined,
          isHttps: isHttpsOf(config),
          now: Date.now,
        }),
      },
      undefined,
    ),
    async close() {
      await background.settle();
      await close();
      await blobs.close();
      await store.close();
    },
  };
}

/** `gateway` is undefined if no server runs. */
export function createAdminServices(
  deps: { store: OpenedStore; exports: Exports; liveSettings: LiveSettings; now(): number } & Pick<
    OverviewDeps,
    "ownNode" | "checks"
  > &
    Omit<AccountAdminDeps, "accountStatus"> &
    Parameters<typeof composeAccountStatus>[0] &
    Parameters<typeof createGroupAdmin>[0] &
    Omit<ReportAdminDeps, "store"> &
    Parameters<typeof createNotices>[0],
  gateway: Gateway | undefined,
): AdminServices {
  const { store, now } = deps;
  const notices = createNotices(deps);
  const handlers: AdminHandlers = {
    ...createAccountAdmin({ ...deps, accountStatus: composeAccountStatus(deps) }),
    ...createGroupAdmin(deps),
    ...notices.handlers,
    ...createAuditLog(deps),
    ...createReportAdmin(deps),
    ...deps.liveSettings.handlers,
    ...createOverview({ ...deps, databaseBytes: () => store.bytes() }),
  };
  return {
    calls: createAdminCalls({ store, handlers, now }),
    notices,
    setupLinks: createSetupLinks(store),
    findUserByName: (userName) => store.findUserByName(userName),
    findGroup: (groupId) => store.findGroup(groupId),
    listAccounts: () => listAccounts(store),
    writeExport: deps.exports.writeArchive,
    listStats: () => listStats({ store, gateway }),
    // The clients of a running server already know the epoch with which it started.
    renewEpoch:
      gateway === undefined
        ? (act) =>
            store.write(async (tx) => {
              await recordAct(tx, act);
              await tx.renewEpoch();
            })
        : undefined,
    correctTimes:
      gateway === undefined
        ? (act) =>
            store.write(async (tx) => {
              await recordAct(tx, act);
              const count = await tx.correctMessageTimes(now());
              if (count > 0) await tx.renewEpoch();
              return count;
            })
        : undefined,
  };
}
