import { useMutation, useQuery } from '@tanstack/react-query'
import { callHost } from '../../host/call.ts'
import { queryClient, routeQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Panel } from '../../parts/panel.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import styles from './policy.module.css'

const suggestions = routeQuery('suggestRules')

/** Rules that would have spared a person questions they always answered alike. */
export function SuggestionsPanel() {
  const { data, error } = useQuery({ ...suggestions, staleTime: 0 })
  const add = useMutation({
    mutationFn: (rule: string) => callHost('addRule', { effect: 'allow', rule }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: suggestions.queryKey }),
  })
  return (
    <Panel title="What you always allow">
      <Failure error={error ?? add.error} />
      {data?.items.length === 0 && (
        <p className={styles.faint}>Nothing yet. Once you answered the same question often, a rule is proposed here.</p>
      )}
      <ul className={styles.list}>
        {data?.items.map(({ rule, answers }) => (
          <li key={rule} className={styles.item}>
            <span>
              <code>
                allow <Said text={rule} />
              </code>{' '}
              <span className={styles.faint}>{plural(answers, 'answer')}</span>
            </span>
            <Button size="s" disabled={add.isPending} onClick={() => add.mutate(rule)}>
              Make it a rule
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
