// Prints the HTTP API into docs/api/openapi.json. Run it after each change of an endpoint; a test notices when it was forgotten.
import { writeFileSync } from "node:fs";
import { printedApi } from "./lib/printed-api.ts";

const { file, text } = printedApi();
writeFileSync(file, text);
