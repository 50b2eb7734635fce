/** The command lines of strace that record the system calls of a server or make some of them fail. */
import { spawnSync } from "node:child_process";

/** Why strace cannot be used on this machine; undefined if it can. */
export function whyNotTraced(): string | undefined {
  if (process.platform !== "linux") return "strace exists on Linux only";
  const { error, status, stderr } = spawnSync("strace", ["-o", "/dev/null", "-e", "trace=none", "true"], {
    encoding: "utf8",
  });
  if (error !== undefined) return "strace is not installed";
  return status === 0 ? undefined : `strace may not trace: ${stderr.trim()}`;
}

/** `-D`: the tracer is a grandchild, so the process that is started and killed is the server itself. */
const STRACE = ["strace", "-D", "-f", "--seccomp-bpf"] as const;

/** All calls that change files or write to sockets. */
const RECORDED_CALLS =
  "openat,open,creat,mkdir,mkdirat,write,writev,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,copy_file_range,sendfile," +
  "rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,fsync,fdatasync,sendto,sendmsg";
/** More bytes than the server writes with one call in these tests. */
const BYTES_MAX = 1_000_000;

/** A command line that records every call with all bytes in this file. */
export function recordingCalls(file: string): string[] {
  return [...STRACE, "-y", "-xx", "-s", String(BYTES_MAX), "-o", file, "-e", `trace=${RECORDED_CALLS}`];
}

/** A command line that makes the n-th call of each thread fail. */
export function failingCall(call: "fsync" | "pwrite64", error: "EIO" | "ENOSPC", nth: number): string[] {
  // SQLite syncs with either call.
  const calls = call === "fsync" ? "fsync,fdatasync" : call;
  return [
    ...STRACE,
    "-qqq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${calls}`,
    "-e",
    `inject=${calls}:error=${error}:when=${nth}`,
  ];
}
