import { Button } from '../parts/button.tsx'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'

export interface AlwaysRuleProps {
  readonly rule: { readonly text: string; readonly file: string; readonly layer: string; readonly matches: number }
  readonly isBusy: boolean
  onMake(): void
}

/** The rule that "always" makes, before it is made. */
export function AlwaysRule({ rule: { text, file, layer, matches }, isBusy, onMake }: AlwaysRuleProps) {
  return (
    <div className={styles.rule}>
      <p>
        This adds the rule{' '}
        <code>
          allow <Said text={text} />
        </code>{' '}
        to{' '}
        <code>
          <Said text={file} />
        </code>{' '}
        ({layer}).
      </p>
      <p className={styles.why}>
        It would have matched {plural(matches, 'call')} of the last 30 days. The Policy screen can undo it.
      </p>
      <div>
        <Button disabled={isBusy} onClick={onMake}>
          Make this rule and allow
        </Button>
      </div>
    </div>
  )
}
