import { useState } from 'react'
import type { ActFilter } from '../../host/acts.ts'
import styles from './activity.module.css'
import { fieldTime, namedRange, namedRanges, type TimeRange, timeInField } from './time-range.ts'

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
        aria-label="Search calls"
        placeholder="Search names, arguments, results and reasons"
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
        <option value="failed">Failed</option>
        <option value="refused">Refused</option>
        <option value="running">Running</option>
        <option value="waiting">Waiting</option>
      </select>
      <RangeFields range={filter} onChange={(range) => onChange({ ...filter, ...range })} />
    </search>
  )
}

/** Time of the shown acts: live, a range by its name, or from and to. */
function RangeFields({
  range: { from, to },
  onChange,
}: {
  readonly range: TimeRange
  onChange(range: TimeRange): void
}) {
  const [name, setName] = useState('')
  const isLive = from === undefined && to === undefined
  const choose = (chosen: string) => {
    setName(chosen)
    const known = namedRanges.find((one) => one === chosen)
    if (known) onChange(namedRange(known, Date.now()))
    else onChange(chosen === '' ? { from: undefined, to: undefined } : { from: from ?? Date.now() - 3_600_000, to })
  }
  const edit = (range: TimeRange) => {
    setName(own)
    onChange(range)
  }
  const shown = isLive ? '' : name === '' ? own : name
  return (
    <>
      <select aria-label="When" value={shown} onChange={({ target }) => choose(target.value)}>
        <option value="">Live</option>
        {namedRanges.map((one) => (
          <option key={one}>{one}</option>
        ))}
        <option>{own}</option>
      </select>
      {!isLive && (
        <div className={styles.range}>
          <label>
            From{' '}
            <input
              type="datetime-local"
              value={fieldTime(from)}
              onChange={({ target }) => edit({ from: timeInField(target.value), to })}
            />
          </label>
          <label>
            to{' '}
            <input
              type="datetime-local"
              value={fieldTime(to)}
              onChange={({ target }) => edit({ from, to: timeInField(target.value) })}
            />
          </label>
        </div>
      )}
    </>
  )
}

/** A range that is none of those with a name. */
const own = 'From … to …'

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
