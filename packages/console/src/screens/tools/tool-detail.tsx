import { useState } from 'react'
import { checkValue } from '../../form/check.ts'
import { initialValue } from '../../form/initial.ts'
import { isSchema } from '../../form/schema.ts'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'
import { draftOf, keepDraft } from '../../offers/drafts.ts'
import { HistoryPanel } from '../../offers/history-panel.tsx'
import { InputEditor } from '../../offers/input-editor.tsx'
import styles from '../../offers/offers.module.css'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { useRun } from '../../offers/use-run.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'
import { CopyAs } from './copy-as.tsx'
import { ToolAbout } from './tool-about.tsx'

type Arguments = Record<string, unknown>

/** One tool: what it is, a form to call it with, and what came back. */
export function ToolDetail({ tool }: { readonly tool: CatalogueEntry }) {
  const { server, original, definition, standing, why } = tool
  const key = `tool ${server} ${original}`
  const schema = isSchema(definition.inputSchema) ? definition.inputSchema : {}
  const [value, setValue] = useState(() => (draftOf(key) ?? initialValue(schema, schema) ?? {}) as Arguments)
  const [wasTried, setTried] = useState(false)
  const { run, start, cancel, show } = useRun(key, (id, input, signal) =>
    callHost('callTool', { server, tool: original, run: id, arguments: input }, { signal }),
  )
  const change = (next: Arguments) => {
    setValue(next)
    keepDraft(key, next)
  }
  const problems = checkValue(value, schema)
  const call = () => {
    setTried(true)
    if (problems.size === 0) void start(value)
  }
  return (
    <div className={styles.detail}>
      <Panel title={<Said text={original} oneLine />} actions={<CopyAs tool={tool} value={value} run={run} />}>
        <ToolAbout tool={tool} />
        {standing !== 'usable' && (
          <Notice tone="warn">
            <Said text={why ?? `This tool is ${standing}; callers cannot use it as it is offered now.`} />
          </Notice>
        )}
        <InputEditor schema={schema} value={value} showsProblems={wasTried} onChange={change} />
        <div className={styles.buttons}>
          <Button tone="primary" disabled={run.state === 'running'} onClick={call}>
            Run
          </Button>
          {run.state === 'running' && <Button onClick={cancel}>Cancel</Button>}
          {wasTried && problems.size > 0 && <span className={styles.faint}>Mend the marked fields first.</span>}
        </div>
      </Panel>
      <RunOutcome run={run} server={server} name={original} />
      <HistoryPanel
        of={key}
        onChoose={({ input, answer }) => {
          change(input)
          show(answer)
        }}
      />
    </div>
  )
}
