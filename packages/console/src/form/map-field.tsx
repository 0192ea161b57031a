import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import type { FieldProps } from './field-props.ts'
import { FormGroup } from './form-group.tsx'
import { isSchema } from './schema.ts'
import styles from './schema-form.module.css'

/** Texts under names that the person chooses, a row for each. */
export function MapField(props: FieldProps) {
  const { name, value, onChange } = props
  const kept = Object.entries(isSchema(value) ? value : {})
  // a name that is being typed may stand there twice, or be empty, for a moment
  const [typed, setTyped] = useState<readonly (readonly [string, unknown])[]>()
  const rows = typed && isSame(typed, kept) ? typed : kept
  const change = (next: readonly (readonly [string, unknown])[]) => {
    setTyped(next)
    const named = next.filter(([key]) => key !== '')
    onChange(named.length === 0 ? undefined : Object.fromEntries(named))
  }
  return (
    <FormGroup of={props}>
      {rows.map(([key, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity while their names are typed
        <div key={index} className={styles.pair}>
          <input
            className="code"
            aria-label={`Name ${index + 1} of ${name}`}
            value={key}
            onChange={({ target }) => change(rows.with(index, [target.value, text]))}
          />
          <input
            className="code"
            aria-label={key === '' ? `Value ${index + 1} of ${name}` : key}
            value={String(text)}
            onChange={({ target }) => change(rows.with(index, [key, target.value]))}
          />
          <Button
            size="s"
            tone="quiet"
            aria-label={`Remove ${key} from ${name}`}
            onClick={() => change(rows.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button size="s" onClick={() => change([...rows, ['', '']])}>
        Add to {name}
      </Button>
    </FormGroup>
  )
}

/** True if the rows as typed are the value that is kept. */
function isSame(
  typed: readonly (readonly [string, unknown])[],
  kept: readonly (readonly [string, unknown])[],
): boolean {
  const named = Object.entries(Object.fromEntries(typed.filter(([key]) => key !== '')))
  return JSON.stringify(named) === JSON.stringify(kept)
}
