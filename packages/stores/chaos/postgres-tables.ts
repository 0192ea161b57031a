/** Tables of PostgreSQL under faults: what owners of tasks do to them, and what a later version would. */
import { openPool } from '../postgres/src/driver.ts'
import { postgresStores } from '../postgres/src/index.ts'
import type { OwnerStep } from './engines.ts'

// a step holds the lock of its task, so that the numbers of one task are in the order of its steps
const tables = `
  CREATE TABLE public.owner_step (number bigserial PRIMARY KEY, task text NOT NULL, fence bigint NOT NULL, owner text NOT NULL);
  CREATE FUNCTION public.task_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- others may cancel a task: that is no step of its owner
    IF TG_OP = 'INSERT' OR (NEW.owner IS NOT NULL AND NEW.owner IS DISTINCT FROM OLD.owner)
      OR (NEW.status IS DISTINCT FROM OLD.status AND NEW.status <> 'cancelled')
      OR NEW.status_message IS DISTINCT FROM OLD.status_message THEN
      INSERT INTO public.owner_step (task, fence, owner) VALUES (NEW.id, NEW.fence, current_setting('application_name'));
    END IF;
    RETURN NULL;
  END $$;
  CREATE FUNCTION public.entry_written() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO public.owner_step (task, fence, owner)
      SELECT id, fence, current_setting('application_name') FROM trunkline.task WHERE id = NEW.task;
    RETURN NULL;
  END $$;
  CREATE TRIGGER task_changed AFTER INSERT OR UPDATE ON trunkline.task FOR EACH ROW EXECUTE FUNCTION public.task_changed();
  CREATE TRIGGER entry_written AFTER INSERT OR UPDATE ON trunkline.task_entry FOR EACH ROW
    WHEN (NEW.kind <> 'answer') EXECUTE FUNCTION public.entry_written();`

/** Lets a server write down the steps of owners; returns a function that reads them. */
export async function recordOwnerSteps(url: string): Promise<() => Promise<readonly OwnerStep[]>> {
  await (await postgresStores(url)).close()
  await query(url, tables)
  return async () => {
    const rows = await query(url, 'SELECT task, fence, owner FROM public.owner_step ORDER BY number')
    return rows.map(({ task, fence, owner }) => ({ task: String(task), fence: Number(fence), owner: String(owner) }))
  }
}

/** Adds a column to each table that a call uses, as a step of a later version may, and says that this version can go on. */
export async function addTableStep(url: string): Promise<void> {
  const [row] = await query(url, 'SELECT max(number) + 1 AS number FROM trunkline.step')
  const step = Number(row?.number)
  for (const table of ['session', 'stream', 'event', 'task', 'task_entry', 'effect', 'process', 'inbox'])
    await query(url, `ALTER TABLE trunkline.${table} ADD COLUMN of_step_${step} text NOT NULL DEFAULT ''`)
  await query(url, `INSERT INTO trunkline.step (number, oldest_reader) VALUES (${step}, 1)`)
}

async function query(url: string, text: string): Promise<readonly { readonly [column: string]: unknown }[]> {
  const pool = await openPool(url, { max: 1, deadlineMs: 60_000 })
  try {
    const client = await pool.connect()
    const { rows } = await client.query(text)
    client.release()
    return rows
  } finally {
    await pool.end()
  }
}
