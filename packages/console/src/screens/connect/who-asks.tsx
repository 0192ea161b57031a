import type { RouteAnswer } from '@trunkline/host/page-api'
import { Notice } from '../../parts/notice.tsx'
import styles from './connect.module.css'

export type Asks = RouteAnswer<'planConnect'>['asks']

export interface WhoAsksProps {
  /** How the client is called. */
  readonly title: string
  readonly asks: Asks
  /** Whether the client may ask too, with no file that turns that off. */
  readonly asksItself: boolean
  onChoose(asks: Asks): void
}

/** Who asks before a call runs: decided once, when a client is connected, so that nobody is asked twice. */
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
