import styles from './activity.module.css'
import type { ActFilter } from './acts.ts'

export interface ActFiltersProps {
  readonly filter: ActFilter
  readonly servers: readonly string[]
  onChange(filter: ActFilter): void
}

/** What of all that happens is shown. */
export function ActFilters({ filter, servers, onChange }: ActFiltersProps) {
  return (
    <search className={styles.filters}>
      <input
        type="search"
        aria-label="Search acts"
        placeholder="Search by client, server, tool, outcome or trace"
        value={filter.text}
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
      <select
        aria-label="Server"
        value={filter.server}
        onChange={({ target }) => onChange({ ...filter, server: target.value })}
      >
        <option value="">All servers</option>
        {servers.map((server) => (
          <option key={server}>{server}</option>
        ))}
      </select>
      <select
        aria-label="Outcome"
        value={filter.outcome}
        onChange={({ target }) => onChange({ ...filter, outcome: target.value as ActFilter['outcome'] })}
      >
        <option value="">Every outcome</option>
        <option value="ok">OK</option>
        <option value="not ok">Not OK</option>
        <option value="refused">Refused</option>
      </select>
    </search>
  )
}
