/** Lets something happen inside a database while another program fills it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "./test-postgres.ts";

const POLL_MS = 20;

/** A trigger on a table that does not exist yet. */
export interface PlantedTrigger {
  /** Resolves when its code waits for an advisory lock. */
  waitUntilBlocked(): Promise<void>;
  /** Later tables get no trigger. */
  remove(): Promise<void>;
}

/** Runs this PL/pgSQL code before each insert of a row into the table, which another program will create. */
export async function plantTrigger(
  database: Pick<TestDatabase, "query">,
  table: string,
  code: string,
): Promise<PlantedTrigger> {
  await database.query(`create schema planted;
    create function planted.act() returns trigger language plpgsql as $$ begin ${code}; end $$;
    create function planted.plant() returns event_trigger language plpgsql as $$
      begin
        if exists (select from pg_event_trigger_ddl_commands() where objid = to_regclass('public."${table}"')) then
          create trigger act before insert on public."${table}" for each row execute function planted.act();
        end if;
      end $$;
    create event trigger plant on ddl_command_end when tag in ('CREATE TABLE') execute function planted.plant()`);
  return {
    async waitUntilBlocked() {
      const count = `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
        and objsubid = 1 and objid = 1 and database = (select oid from pg_database where datname = current_database())`;
      while ((await database.query(count))[0]?.["count"] !== 1) await sleep(POLL_MS);
    },
    async remove() {
      await database.query("drop event trigger plant; drop schema planted cascade");
    },
  };
}
