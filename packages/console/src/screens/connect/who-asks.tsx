import type { RouteAnswer } from '@trunkline/host/page-api'
import { Notice } from '../../parts/notice.tsx'
import styles from './connect.module.css'

export type Asks = RouteAnswer<'planConnect'>['asks']

export interface WhoAsksProps {
  /** Title of the client. */
  readonly title: string
  readonly asks: Asks
  /** True if the client may ask too, with no file that turns that off. */
  readonly asksItself: boolean
  onChoose(asks: Asks): void
}

/**
 * Choice of who asks before a call runs: made once, when a client is connected, so that the person is not asked twice.
 */
export function WhoAsks({ title, asks, asksItself, onChoose }: WhoAsksProps) {
  const choices = [
    ['trunkline', 'Trunkline', 'with the same rules for every client'],
    ['client', title, 'Trunkline asks only about what destroys, is tainted or has changed'],
  ] as const
  return (
    <fieldset className={styles.choices}>
      <legend>Who asks before a call runs?</legend>
      {choices.map(([value, name, says]) => (
        <label key={value} className={styles.choice}>
          <input type="radio" name="asks" checked={asks === value} onChange={() => onChoose(value)} />
          <span>
            {name}: <span className={styles.faint}>{says}</span>
          </span>
        </label>
      ))}
      {asksItself && (
        <Notice tone="warn">
          No file of {title} turns its own question off: do so in its settings, or it asks too.
        </Notice>
      )}
    </fieldset>
  )
}
