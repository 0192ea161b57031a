import { useMutation } from '@tanstack/react-query'
import { callHost } from '../../host/call.ts'
import { useShortPaths } from '../../host/home.ts'
import type { RuleShown } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'
import { EffectBadge } from './effect-badge.tsx'
import styles from './policy.module.css'

/** The rules in force, strictest first, each with where it is written. */
export function RulesPanel({ rules }: { readonly rules: readonly RuleShown[] }) {
  const short = useShortPaths()
  const undo = useMutation({ mutationFn: () => callHost('undoRule') })
  return (
    <Panel
      title="Rules in force"
      actions={
        <Button size="s" disabled={undo.isPending} onClick={() => undo.mutate()}>
          Undo the last rule that was made here
        </Button>
      }
    >
      <Failure error={undo.error} />
      {undo.data && (
        <Notice tone="good" live>
          Taken out again: {undo.data.effect} <Said text={String(undo.data.rule)} />
        </Notice>
      )}
      {rules.length === 0 && (
        <p className={styles.faint}>
          None. What reads is allowed, what writes asks once for a session, what destroys asks every time.
        </p>
      )}
      {rules.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Effect</th>
              <th scope="col">Rule</th>
              <th scope="col" className={styles.wide}>
                Layer
              </th>
              <th scope="col" className={styles.wide}>
                Written at
              </th>
            </tr>
          </thead>
          <tbody>
            {rules.map(({ effect, text, layer, file, line, unmatched }) => (
              <tr key={`${file} ${line} ${effect} ${text}`}>
                <td>
                  <EffectBadge effect={effect} />
                </td>
                <td>
                  <code>
                    <Said text={text} />
                  </code>
                  {unmatched !== undefined && (
                    <Notice tone="warn">
                      Matches nothing. <Said text={unmatched} />.
                    </Notice>
                  )}
                  <div className={styles.below}>
                    <Said text={short(`${layer}, ${file}:${line}`)} />
                  </div>
                </td>
                <td className={styles.wide}>{layer}</td>
                <td className={styles.wide}>
                  <Said text={short(`${file}:${line}`)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
