import { clock } from "./clock.ts";
import { colours } from "./colours.ts";
import { format } from "./format.ts";
import { imports } from "./imports.ts";
import { lint } from "./lint.ts";
import { locales } from "./locales.ts";
import { lock } from "./lock.ts";
import { references } from "./references.ts";
import { size } from "./size.ts";
import { specTexts } from "./spec-texts.ts";
import { specCoverage } from "./spec-coverage.ts";
import { types } from "./types.ts";
import { unused } from "./unused.ts";
import { wording } from "./wording.ts";
import type { Check } from "../lib/check-type.ts";

export const CHECKS: readonly Check[] = [
  types,
  lint,
  format,
  imports,
  unused,
  size,
  colours,
  locales,
  wording,
  clock,
  specCoverage,
  specTexts,
  references,
  lock,
];
