import type { Role } from "../../config/config.ts";
import type { Jobs } from "../jobs.ts";
import type { ServerNode } from "../node.ts";

/** How often the last activity of sessions is saved. */
const SAVE_LAST_SEEN_MS = 60_000;
/** How often unclaimed files and expired sessions are deleted. */
const CLEANUP_MS = 3_600_000;
/** How often alerts that are due are sent to devices without an open page. */
const WEB_PUSH_MS = 1_000;
/** How often it is looked for notices whose server has ended before everybody had them. */
const NOTICES_MS = 30_000;
const RENEW_LEASE_MS = 1_000;
/** How often it is looked whether a backup is due. */
const BACKUP_MS = 60_000;
/** How often a node says in the database that it is there. */
const SAVE_NODE_MS = 10_000;
/** How often a node reads the settings that administrators may have changed. */
const LOAD_SETTINGS_MS = 30_000;
/** How often it is looked for pushes that were missed. */
const MISSED_PUSHES_MS = 2_000;
/** How often it is looked whether messages lie in the future. */
const MESSAGE_TIMES_MS = 60_000;
/** How often it is looked for calls that are due to end. */
const CALLS_MS = 1_000;
/** How often it is looked for alert levels that are due to end. */
const ALERT_LEVELS_MS = 1_000;
/** How often it is looked for polls that are due to end. */
const POLLS_MS = 1_000;

/** What runs from time to time. */
export interface JobParts {
  hasOtherNodes: boolean;
  /** Whether this node has sockets that may miss pushes. */
  mayMissPushes: boolean;
  hasRole(role: Role): boolean;
  node: Pick<ServerNode, "sweepWebPush" | "sweepMissedPushes" | "sweepPolls" | "endAlertLevels" | "calls">;
  saveLastSeen(): Promise<void>;
  checkMessageTimes(): Promise<void>;
  saveNode(): Promise<void>;
  loadSettings(): Promise<void>;
  renewLease(): Promise<void>;
  sweepFiles(): Promise<void>;
  deleteExpiredSessions(): Promise<void>;
  resumeNotices(): Promise<void>;
  /** Undefined if no nightly backups are wanted. */
  sweepBackups: (() => Promise<void>) | undefined;
}

/** Adds the jobs of a node with these roles. */
export function addJobs(jobs: Pick<Jobs, "every" | "everyForOne">, parts: JobParts): void {
  const { hasOtherNodes, mayMissPushes, hasRole, node } = parts;
  jobs.every(SAVE_LAST_SEEN_MS, parts.saveLastSeen);
  jobs.every(MESSAGE_TIMES_MS, parts.checkMessageTimes);
  jobs.every(WEB_PUSH_MS, node.sweepWebPush);
  jobs.every(RENEW_LEASE_MS, parts.renewLease);
  if (hasOtherNodes) {
    jobs.every(SAVE_NODE_MS, parts.saveNode);
    // The event of a change is lost while Redis or the database is away.
    jobs.every(LOAD_SETTINGS_MS, parts.loadSettings);
  }
  if (mayMissPushes) jobs.every(MISSED_PUSHES_MS, node.sweepMissedPushes);
  if (!hasRole("jobs")) return;
  // Each call is a due row that the transaction of one node handles, so no node has to wait for the lease.
  jobs.every(CALLS_MS, node.calls.sweep);
  jobs.everyForOne(POLLS_MS, node.sweepPolls);
  jobs.everyForOne(ALERT_LEVELS_MS, node.endAlertLevels);
  jobs.everyForOne(CLEANUP_MS, parts.sweepFiles);
  jobs.everyForOne(CLEANUP_MS, parts.deleteExpiredSessions);
  jobs.everyForOne(NOTICES_MS, parts.resumeNotices);
  if (parts.sweepBackups !== undefined) jobs.everyForOne(BACKUP_MS, parts.sweepBackups);
}
