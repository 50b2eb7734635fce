// Prints THIRD-PARTY-NOTICES.md. Run it after each change of a dependency; a test notices when it was forgotten.
import { writeFileSync } from "node:fs";
import { printedNotices } from "./lib/notices.ts";

const { file, text } = printedNotices();
writeFileSync(file, text);
