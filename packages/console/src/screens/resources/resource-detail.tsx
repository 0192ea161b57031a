import { useEffect, useRef } from 'react'
import { callHost } from '../../host/call.ts'
import styles from '../../offers/offers.module.css'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { useRun } from '../../offers/use-run.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { Panel } from '../../parts/panel.tsx'

/** One resource, read when it is opened. */
export function ResourceDetail({ server, uri }: { readonly server: string; readonly uri: string }) {
  const { run, start } = useRun(`resource ${server} ${uri}`, (_id, _input, signal) =>
    callHost('readResource', { server, uri }, { signal }),
  )
  const read = useRef(start)
  read.current = start
  // biome-ignore lint/correctness/useExhaustiveDependencies: another resource is read anew
  useEffect(() => void read.current({}), [server, uri])
  return (
    <div className={styles.detail}>
      <Panel
        title="Resource"
        actions={
          <Button size="s" onClick={() => void start({})}>
            Read again
          </Button>
        }
      >
        <Code text={uri} label="address of the resource" />
      </Panel>
      <RunOutcome run={run} server={server} name={uri} />
    </div>
  )
}
