import type { ActFilter } from '../../host/acts.ts'
import styles from './activity.module.css'

export interface ActFiltersProps {
  readonly filter: ActFilter
  readonly servers: readonly string[]
  readonly clients: readonly string[]
  onChange(filter: ActFilter): void
}

/** Filters of the shown acts. */
export function ActFilters({ filter, servers, clients, onChange }: ActFiltersProps) {
  return (
    <search className={styles.filters}>
      <input
        type="search"
        aria-label="Search acts"
        placeholder="Search by client, server, tool, outcome or trace"
        value={filter.text}
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
      <Choice
        label="Server"
        all="All servers"
        value={filter.server}
        values={servers}
        onChange={(server) => onChange({ ...filter, server })}
      />
      <Choice
        label="Client"
        all="All clients"
        value={filter.client}
        values={clients}
        onChange={(client) => onChange({ ...filter, client })}
      />
      <select
        aria-label="Outcome"
        value={filter.outcome}
        onChange={({ target }) => onChange({ ...filter, outcome: target.value as ActFilter['outcome'] })}
      >
        <option value="">Every outcome</option>
        <option value="ok">OK</option>
        <option value="not ok">Not OK</option>
        <option value="refused">Refused</option>
        <option value="running">Running</option>
      </select>
    </search>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly values: readonly string[]
  onChange(value: string): void
}

function Choice({ label, all, value, values, onChange }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{all}</option>
      {values.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}
