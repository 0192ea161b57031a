import type { RouteAnswer, RouteInput } from '@trunkline/host/page-api'
import { useState } from 'react'
import { useShortPaths } from '../host/home.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'

/** Scope of the rule, as the answer says it. */
export type AlwaysScope = NonNullable<RouteInput<'answer'>['rule']>

export interface AlwaysRuleProps {
  readonly rule: NonNullable<RouteAnswer<'questionContext'>['rule']>
  /** True for a rule that holds for all clients, not only for the one that asks. */
  readonly isForAll: boolean
  /** Chooses between the client that asks and all; missing where there is no other. */
  onForAll?: ((isForAll: boolean) => void) | undefined
  readonly isBusy: boolean
  onMake(scope: AlwaysScope): void
}

const hourMs = 3_600_000
/** Times after which a rule ends. */
const ends: readonly (readonly [words: string, ms: number | undefined])[] = [
  ['I undo it', undefined],
  ['in an hour', hourMs],
  ['in 8 hours', 8 * hourMs],
  ['in 7 days', 7 * 24 * hourMs],
  ['in 30 days', 30 * 24 * hourMs],
]

/** The rule that "always" makes, with how far it goes, before it is made. */
export function AlwaysRule({ rule, isForAll, onForAll, isBusy, onMake }: AlwaysRuleProps) {
  const [isExact, setExact] = useState(false)
  const [endMs, setEndMs] = useState<number>()
  const short = useShortPaths()
  const { client, file, layer, exact } = rule
  const { text, matches, matchesOfAll } = (isExact && exact) || rule
  const make = () =>
    onMake({ ...(isExact && exact && { isExact }), ...(endMs !== undefined && { until: Date.now() + endMs }) })
  return (
    <div className={styles.rule}>
      <div className={styles.scope}>
        {onForAll && (
          <Field label="For">
            {(ids) => (
              <select {...ids} value={String(isForAll)} onChange={({ target }) => onForAll(target.value === 'true')}>
                <option value="false">{client} alone</option>
                <option value="true">all my clients</option>
              </select>
            )}
          </Field>
        )}
        <Field label="With">
          {(ids) => (
            <select
              {...ids}
              disabled={!exact}
              value={isExact || !exact ? (exact ? 'exact' : 'given') : 'any'}
              onChange={({ target }) => setExact(target.value === 'exact')}
            >
              {exact && <option value="any">any arguments</option>}
              <option value={exact ? 'exact' : 'given'}>exactly these arguments</option>
            </select>
          )}
        </Field>
        <Field label="Until">
          {(ids) => (
            <select
              {...ids}
              value={endMs ?? ''}
              onChange={({ target }) => setEndMs(target.value === '' ? undefined : Number(target.value))}
            >
              {ends.map(([words, ms]) => (
                <option key={words} value={ms ?? ''}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <p>
        This adds the rule{' '}
        <code>
          allow <Said text={text} />
        </code>{' '}
        for {isForAll ? 'all clients' : <Said text={`${client} alone`} oneLine />} to{' '}
        <code>
          <Said text={short(file)} />
        </code>{' '}
        ({layer}){endMs !== undefined && `, until ${new Date(Date.now() + endMs).toLocaleString('en-GB')}`}.
      </p>
      <p className={styles.why}>
        It would have matched {plural(isForAll ? matchesOfAll : matches, 'call')} of the last 30 days. The Policy screen
        can undo it.
      </p>
      <div>
        <Button disabled={isBusy} onClick={make}>
          Make this rule and allow
        </Button>
      </div>
    </div>
  )
}
