// Prints THIRD-PARTY-NOTICES.md. Run it after each change of a dependency; a test notices when it was forgotten.
import { writeFileSync } from "node:fs";
import { generateNotices } from "./lib/generate-notices.ts";

const { file, text } = generateNotices();
writeFileSync(file, text);
