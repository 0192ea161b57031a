import type { RouteAnswer } from '@trunkline/host/page-api'
import { Button } from '../parts/button.tsx'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'

export interface AlwaysRuleProps {
  readonly rule: NonNullable<RouteAnswer<'questionContext'>['rule']>
  /** True for a rule that holds for all clients, not only for the one that asks. */
  readonly isForAll: boolean
  readonly isBusy: boolean
  onMake(): void
}

/** The rule that "always" makes, before it is made. */
export function AlwaysRule({ rule, isForAll, isBusy, onMake }: AlwaysRuleProps) {
  const { text, client, file, layer, matches, matchesOfAll } = rule
  return (
    <div className={styles.rule}>
      <p>
        This adds the rule{' '}
        <code>
          allow <Said text={text} />
        </code>{' '}
        for {isForAll ? 'all clients' : <Said text={`${client} alone`} oneLine />} to{' '}
        <code>
          <Said text={file} />
        </code>{' '}
        ({layer}).
      </p>
      <p className={styles.why}>
        It would have matched {plural(isForAll ? matchesOfAll : matches, 'call')} of the last 30 days. The Policy screen
        can undo it.
      </p>
      <div>
        <Button disabled={isBusy} onClick={onMake}>
          Make this rule and allow
        </Button>
      </div>
    </div>
  )
}
