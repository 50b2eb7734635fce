/** What the definitions of the calls for administrators share. */
import * as z from "zod/mini";
import { ADMIN_PAGE_MAX } from "../limits.ts";
import { idParam } from "../text.ts";

/** The page of a list: `page` counts from 0, `size` is 20 unless given. */
export const pageQuery = () => ({
  page: z.optional(idParam()),
  size: z.optional(
    idParam().check(
      z.refine((n) => n >= 1 && n <= ADMIN_PAGE_MAX, { error: `must be 1 to ${ADMIN_PAGE_MAX}` }),
    ),
  ),
});

/** A page, and how many rows all pages have together. */
export const pageOf = <S extends z.ZodMiniType>(row: S) =>
  z.object({ total: z.number(), rows: z.array(row) });
