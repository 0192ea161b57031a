import { useMutation, useQuery } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { useEffect, useState } from 'react'
import { callHost } from '../../host/call.ts'
import { useShortPaths } from '../../host/home.ts'
import { policyFileQuery, policyQuery, queryClient } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Failure } from '../../parts/failure.tsx'
import { JsonEditor } from '../../parts/json-editor.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'
import { DryRun } from './dry-run.tsx'
import { FileProblems } from './file-problems.tsx'
import styles from './policy.module.css'
import { useFileCheck } from './use-file-check.ts'

/** The text that a person typed, and the file that they began with. */
interface Draft {
  readonly text: string
  readonly from: RouteAnswer<'policyFile'>
}

/** The person's own file: checked as one types, tried on what was recorded, and saved as it was typed. */
export function PolicyFilePanel() {
  const { data: onDisk, error, refetch } = useQuery({ ...policyFileQuery, staleTime: 0 })
  const short = useShortPaths()
  const [draft, setDraft] = useState<Draft>()
  const [isShown, setShown] = useState(false)
  // what is typed is a change to the file as it was then, and is never saved over another one
  const known = draft?.from ?? onDisk
  const text = draft?.text ?? known?.text ?? ''
  const isChanged = draft !== undefined && draft.text !== draft.from.text
  const isStale = isChanged && onDisk !== undefined && onDisk.digest !== draft.from.digest
  const { check, isCurrent } = useFileCheck(isChanged ? text : undefined)
  const problems = check?.problems.filter(({ file }) => file === known?.file) ?? []
  const save = useMutation({
    mutationFn: () => callHost('savePolicyFile', { text, digest: known?.digest ?? '' }),
    onSuccess: async () => {
      await refetch()
      setDraft(undefined)
      await queryClient.invalidateQueries({ queryKey: policyQuery.queryKey })
    },
  })
  useEffect(() => setShown((was) => was && isChanged), [isChanged])
  return (
    <Panel title="The policy, as it is written">
      <Failure error={error} />
      {known && (
        <>
          <p className={styles.faint}>
            <code>
              <Said text={short(known.file)} />
            </code>
            . Only &quot;policy&quot; can be changed here; comments and order stay as you type them.
          </p>
          <JsonEditor
            label="The policy file"
            value={text}
            hasLines
            startAt={/"policy"\s*:/}
            problems={problems}
            onChange={(typed) => {
              setDraft(typed === known.text ? undefined : { text: typed, from: known })
              save.reset()
            }}
          />
          {isStale && (
            <Notice tone="warn" live>
              The file was changed on the disk while you typed. What you typed is kept here and cannot be saved over it.{' '}
              <Button size="s" onClick={() => setDraft(undefined)}>
                Show the file as it is now
              </Button>
            </Notice>
          )}
          <FileProblems problems={problems} />
          {isChanged && check && isCurrent && problems.length === 0 && <DryRun trial={check} />}
          {isShown && <Diff before={known.text} after={text} label="Change to the policy file" />}
          <div className="buttons">
            {!isShown && (
              <Button
                disabled={!isChanged || isStale || !isCurrent || problems.length > 0}
                onClick={() => setShown(true)}
              >
                Show what changes…
              </Button>
            )}
            {isShown && (
              <Button
                tone="primary"
                disabled={isStale || !isCurrent || problems.length > 0 || save.isPending}
                onClick={() => save.mutate()}
              >
                Save this change
              </Button>
            )}
            {isChanged && (
              <Button tone="quiet" onClick={() => setDraft(undefined)}>
                Undo what I typed
              </Button>
            )}
          </div>
          <Failure error={save.error} />
          {save.isSuccess && !isChanged && (
            <Notice tone="good" live>
              Saved, and in force.
            </Notice>
          )}
        </>
      )}
    </Panel>
  )
}
