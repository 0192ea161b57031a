import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { callHost } from '../../host/call.ts'
import { useShortPaths } from '../../host/home.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { DryRun } from './dry-run.tsx'
import styles from './policy.module.css'

type Effect = 'allow' | 'ask' | 'deny'

/** Such as `server:tool`, or `server:tool{argument=value}`. */
function looksLikeRule(text: string): boolean {
  return /^[^\s:]+:[^{}]+(?:\{[^{}]+\})?$/.test(text)
}

function problemOf(text: string): string | undefined {
  if (text === '' || looksLikeRule(text)) return undefined
  return 'Write it as server:tool, or as server:tool{argument=value}'
}

/** A new rule: checked as one types, and tried on what was recorded before it is made. */
export function RuleEditor() {
  const short = useShortPaths()
  const [effect, setEffect] = useState<Effect>('ask')
  const [rule, setRule] = useState('')
  const tried = useDeferredValue(rule.trim())
  const trial = useQuery({
    queryKey: ['trial', effect, tried],
    queryFn: ({ signal }) => callHost('dryRunPolicy', { rules: [{ effect, rule: tried }] }, { signal }),
    enabled: looksLikeRule(tried),
    gcTime: 10_000,
  })
  const add = useMutation({ mutationFn: () => callHost('addRule', { effect, rule: rule.trim() }) })
  return (
    <Panel title="A new rule">
      <div className={styles.effect}>
        <Field label="Effect">
          {(ids) => (
            <select {...ids} value={effect} onChange={({ target }) => setEffect(target.value as Effect)}>
              <option>allow</option>
              <option>ask</option>
              <option>deny</option>
            </select>
          )}
        </Field>
        <Field
          label="Rule"
          hint="server:tool, with * for any characters"
          error={problemOf(tried) ?? trial.error?.message}
        >
          {(ids) => (
            <input
              {...ids}
              className="code"
              spellCheck={false}
              value={rule}
              onChange={({ target }) => {
                setRule(target.value)
                add.reset()
              }}
            />
          )}
        </Field>
      </div>
      {trial.data && <DryRun trial={trial.data} />}
      <div>
        <Button disabled={!trial.data || add.isPending} onClick={() => add.mutate()}>
          Add this rule
        </Button>
      </div>
      <Failure error={add.error} />
      {add.data && (
        <Notice tone="good" live>
          Written to <code>{short(add.data.file)}</code>
        </Notice>
      )}
    </Panel>
  )
}
