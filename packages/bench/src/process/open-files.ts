/** Files that a server or the load generator has open beside its sockets, and some to spare. */
const OTHER_FILES = 500;

/** How many files, sockets included, this process and those that it starts may have open. Node raises the soft limit to the hard one. */
export function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files: { soft: number | "unlimited" } };
  };
  // Windows has no such limit.
  const soft = userLimits?.open_files.soft ?? "unlimited";
  return soft === "unlimited" ? Infinity : soft;
}

/** As many sockets as wanted, or as many as fit if a process may not have that many files open. */
export function socketsThatFit(wanted: number, limit: number): number {
  return Math.min(wanted, limit - OTHER_FILES);
}
