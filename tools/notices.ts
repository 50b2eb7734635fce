// Writes THIRD-PARTY-NOTICES.md. Run it after each change of a dependency; a test fails if you forget it.
import { writeFileSync } from "node:fs";
import { generateNotices } from "./lib/generate-notices.ts";

const { file, text } = generateNotices();
writeFileSync(file, text);
