import { nowMs } from './database.ts'

/** A step that leads to the tables of today. */
export interface TableStep {
  readonly sql: string
  /** Number of the oldest step whose versions still work after this one: a step that only adds keeps that of the step before it. */
  readonly oldestReader: number
}

/** The steps that lead to the tables of today, the first is number 1; one that was released never changes. Names are in `schema`. */
export function stepsIn(schema: string): readonly TableStep[] {
  return [
    { sql: firstTables(schema), oldestReader: 1 },
    { sql: clusterTables(schema), oldestReader: 1 },
  ]
}

function firstTables(schema: string): string {
  return `CREATE TABLE ${schema}.session (
       id text PRIMARY KEY, record text NOT NULL, version bigint NOT NULL DEFAULT 1, used_at float8 NOT NULL
     );
     CREATE INDEX session_by_use ON ${schema}.session (used_at);
     CREATE TABLE ${schema}.session_change (
       number bigserial PRIMARY KEY, session text NOT NULL REFERENCES ${schema}.session ON DELETE CASCADE,
       key text NOT NULL, message text NOT NULL, UNIQUE (session, key)
     );
     CREATE TABLE ${schema}.stream (
       name text PRIMARY KEY, last bigint NOT NULL, writer text, is_closed boolean NOT NULL DEFAULT false,
       written_at float8 NOT NULL
     );
     CREATE INDEX stream_by_write ON ${schema}.stream (written_at);
     CREATE TABLE ${schema}.event (
       stream text NOT NULL REFERENCES ${schema}.stream ON DELETE CASCADE, number bigint NOT NULL, data text NOT NULL,
       PRIMARY KEY (stream, number)
     );
     CREATE TABLE ${schema}.task (
       id text COLLATE "C" PRIMARY KEY, principal text, created_at float8 NOT NULL, updated_at float8 NOT NULL,
       expires_at float8, status text NOT NULL, status_message text, work text NOT NULL, outcome text,
       version bigint NOT NULL DEFAULT 0, fence bigint NOT NULL DEFAULT 0, owner text, lease_until float8 NOT NULL DEFAULT 0
     );
     CREATE INDEX task_by_principal ON ${schema}.task (principal, created_at, id);
     CREATE INDEX task_by_expiry ON ${schema}.task (expires_at) WHERE expires_at IS NOT NULL;
     CREATE INDEX task_at_work ON ${schema}.task (created_at, id) WHERE status = 'working';
     CREATE TABLE ${schema}.task_entry (
       number bigserial PRIMARY KEY, task text COLLATE "C" NOT NULL REFERENCES ${schema}.task ON DELETE CASCADE,
       kind text NOT NULL, key text NOT NULL, value text NOT NULL, UNIQUE (task, kind, key)
     );
     CREATE TABLE ${schema}.effect (
       call text NOT NULL, key text NOT NULL, state text NOT NULL, value text, attempt text,
       lease_until float8 NOT NULL DEFAULT 0, expires_at float8 NOT NULL, PRIMARY KEY (call, key)
     );
     CREATE INDEX effect_by_expiry ON ${schema}.effect (expires_at);
     CREATE TABLE ${schema}.rate (key text PRIMARY KEY, used_until float8 NOT NULL);
     CREATE INDEX rate_by_use ON ${schema}.rate (used_until);
     ${takeIn(schema)}`
}

function clusterTables(schema: string): string {
  return `ALTER TABLE ${schema}.step ADD COLUMN oldest_reader integer NOT NULL DEFAULT 1;
     CREATE TABLE ${schema}.history AS SELECT gen_random_uuid()::text AS id;
     CREATE TABLE ${schema}.process (
       epoch text COLLATE "C" PRIMARY KEY, server text NOT NULL, sealing_keys text NOT NULL, lease_until float8 NOT NULL,
       last bigint NOT NULL, entries integer NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0
     );
     CREATE INDEX process_by_lease ON ${schema}.process (lease_until);
     CREATE TABLE ${schema}.inbox (
       epoch text COLLATE "C" NOT NULL REFERENCES ${schema}.process ON DELETE CASCADE, number bigint NOT NULL,
       entry text NOT NULL, PRIMARY KEY (epoch, number)
     );
     CREATE TABLE ${schema}.proof (id text COLLATE "C" PRIMARY KEY, used_until float8 NOT NULL);
     CREATE INDEX proof_by_use ON ${schema}.proof (used_until);
     ${beatIn(schema)}`
}

/**
 * The function that keeps a process alive and reads the others. A new process waits for the others that are new, so that
 * one of two servers is refused. Its inbox begins at the time, so that one made anew goes on above the numbers of the old one.
 */
function beatIn(schema: string): string {
  return `CREATE FUNCTION ${schema}.beat(
      self text, its_server text, its_keys text, lease_ms float8, most integer,
      OUT refused text, OUT now_ms float8, OUT live json, OUT generation text
    ) LANGUAGE plpgsql AS $$
    BEGIN
      now_ms := ${nowMs};
      UPDATE ${schema}.process SET sealing_keys = its_keys, lease_until = now_ms + lease_ms
        WHERE epoch = self AND server = its_server AND lease_until > now_ms;
      IF NOT FOUND THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('${schema} beat', 0));
        now_ms := ${nowMs};
        SELECT server INTO refused FROM ${schema}.process
          WHERE lease_until > now_ms AND epoch <> self AND server <> its_server LIMIT 1;
        IF refused IS NULL AND most <= (SELECT count(*) FROM ${schema}.process WHERE lease_until > now_ms AND epoch <> self) THEN
          refused := '';
        END IF;
        IF refused IS NOT NULL THEN
          RETURN;
        END IF;
        INSERT INTO ${schema}.process (epoch, server, sealing_keys, lease_until, last)
          VALUES (self, its_server, its_keys, now_ms + lease_ms, (now_ms * 1000)::bigint)
          ON CONFLICT (epoch) DO UPDATE SET server = excluded.server, sealing_keys = excluded.sealing_keys,
            lease_until = excluded.lease_until;
      END IF;
      SELECT coalesce(json_agg(json_build_object('epoch', epoch, 'server', server, 'sealingKeys', sealing_keys)), '[]')
        INTO live FROM ${schema}.process WHERE lease_until > now_ms;
      SELECT left(md5(concat_ws(' ', id, system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8))), 16)
        INTO generation FROM ${schema}.history, pg_control_system();
    END $$`
}

/** The function that counts a call against rates, all or none: rows are locked in the order of their keys. */
function takeIn(schema: string): string {
  return `CREATE FUNCTION ${schema}.take(
      keys text[], intervals float8[], bursts float8[], OUT refused text, OUT after_ms float8
    ) LANGUAGE plpgsql AS $$
    DECLARE
      now_ms float8;
      used float8;
      wait_ms float8;
    BEGIN
      after_ms := 0;
      INSERT INTO ${schema}.rate AS known (key, used_until) SELECT DISTINCT each, 0 FROM unnest(keys) AS each ORDER BY each
        ON CONFLICT (key) DO UPDATE SET used_until = known.used_until;
      now_ms := ${nowMs};
      FOR at IN 1 .. cardinality(keys) LOOP
        SELECT greatest(used_until, now_ms) INTO used FROM ${schema}.rate WHERE key = keys[at];
        wait_ms := used - (bursts[at] - 1) * intervals[at] - now_ms;
        IF wait_ms > 0.001 AND wait_ms > after_ms THEN
          refused := keys[at];
          after_ms := wait_ms;
        END IF;
      END LOOP;
      IF refused IS NOT NULL THEN
        RETURN;
      END IF;
      FOR at IN 1 .. cardinality(keys) LOOP
        UPDATE ${schema}.rate SET used_until = greatest(used_until, now_ms) + intervals[at] WHERE key = keys[at];
      END LOOP;
    END $$`
}
