import type { RouteAnswer, RouteInput } from '@trunkline/host/page-api'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'

type Offered = NonNullable<RouteAnswer<'questionContext'>['coverage']>
/** Further tools or clients that an answer can cover. */
export type Covered = NonNullable<RouteInput<'answer'>['covers']>[number]

export interface CoverageBoxesProps {
  readonly offered: Offered
  readonly server: string
  readonly chosen: readonly Covered[]
  onChange(chosen: readonly Covered[]): void
}

/** The choice with one more, or without one that was in it. */
export function toggled(chosen: readonly Covered[], one: Covered): readonly Covered[] {
  return chosen.includes(one) ? chosen.filter((it) => it !== one) : [...chosen, one]
}

/** Boxes for further tools and clients that an answer covers: none, until the person ticks them. */
export function CoverageBoxes({ offered: { tools, clients }, server, chosen, onChange }: CoverageBoxesProps) {
  const tick = (one: Covered) => onChange(toggled(chosen, one))
  if (!tools && !clients) return undefined
  return (
    <fieldset className={styles.coverage}>
      <legend className={styles.partTitle}>Let the answer cover more</legend>
      {tools && (
        <label>
          <input type="checkbox" checked={chosen.includes('writing-tools')} onChange={() => tick('writing-tools')} />
          <span>
            All {tools.length} writing tools of <Said text={server} oneLine />{' '}
            <span className={styles.why}>
              <Said text={tools.join(', ')} />. What changes or comes later asks, and what destroys asks every time.
            </span>
          </span>
        </label>
      )}
      {clients && (
        <label>
          <input type="checkbox" checked={chosen.includes('all-clients')} onChange={() => tick('all-clients')} />
          <span>
            All my clients{' '}
            <span className={styles.why}>
              <Said text={clients.join(', ')} />. Those that come later ask.
            </span>
          </span>
        </label>
      )}
    </fieldset>
  )
}
