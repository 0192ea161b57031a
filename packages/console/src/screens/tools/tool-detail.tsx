import { useRef, useState } from 'react'
import { AppPanel } from '../../apps/app-panel.tsx'
import { checkValue } from '../../form/check.ts'
import { focusProblem } from '../../form/focus-problem.ts'
import { initialValue } from '../../form/initial.ts'
import { isSchema } from '../../form/schema.ts'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'
import { useToolCounts } from '../../host/use-tool-counts.ts'
import { draftOf, keepDraft } from '../../offers/drafts.ts'
import { HistoryPanel } from '../../offers/history-panel.tsx'
import { InputEditor } from '../../offers/input-editor.tsx'
import styles from '../../offers/offers.module.css'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { SavedRequests } from '../../offers/saved-requests.tsx'
import { TasksPanel } from '../../offers/tasks-panel.tsx'
import { useRun } from '../../offers/use-run.ts'
import { useTaskStart } from '../../offers/use-task-start.ts'
import { DetailView } from '../../parts/detail-view.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Said } from '../../text/said.tsx'
import { CopyAs } from './copy-as.tsx'
import { RunButtons } from './run-buttons.tsx'
import { SaveTests } from './save-tests.tsx'
import { ToolAbout, toolFacts } from './tool-about.tsx'

type Arguments = Record<string, unknown>

/** One tool: what it is, a form to call it with, and what came back. */
export function ToolDetail({ tool }: { readonly tool: CatalogueEntry }) {
  const { server, original, definition, standing, why } = tool
  const key = `tool ${server} ${original}`
  useToolCounts(server)
  const schema = isSchema(definition.inputSchema) ? definition.inputSchema : {}
  const [value, setValue] = useState(() => (draftOf(key) ?? initialValue(schema, schema) ?? {}) as Arguments)
  const [wasTried, setTried] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const { run, start, cancel, show } = useRun(key, (id, input, signal) =>
    callHost('callTool', { server, tool: original, run: id, arguments: input }, { signal }),
  )
  const task = useTaskStart(server, original, show)
  const change = (next: Arguments) => {
    setValue(next)
    keepDraft(key, next)
  }
  const isWrong = isBroken || checkValue(value, schema).size > 0
  const ready = (begin: (input: Arguments) => void) => () => {
    setTried(true)
    if (!isWrong) return begin(value)
    focusProblem(form.current)
  }
  const shown = run.state === 'done' ? [{ input: run.input, answer: run.answer }] : []
  return (
    <>
      <DetailView title={<Said text={original} oneLine />} facts={toolFacts(tool)}>
        <ToolAbout tool={tool} />
        {standing !== 'usable' && (
          <Notice tone="warn">
            <Said text={why ?? `This tool is ${standing}; callers cannot use it as it is offered now.`} />
          </Notice>
        )}
        <div ref={form}>
          <InputEditor schema={schema} value={value} showsProblems={wasTried} onChange={change} onBroken={setBroken}>
            <RunOutcome
              run={run}
              server={server}
              name={original}
              actions={
                <SaveTests server={server} tool={original} calls={shown}>
                  Save as test
                </SaveTests>
              }
            />
          </InputEditor>
        </div>
        <RunButtons
          isRunning={run.state === 'running'}
          isStarting={task.isPending}
          isWrong={wasTried && isWrong}
          onRun={ready((input) => void start(input))}
          onRunAsTask={ready((input) => task.mutate(input))}
          onCancel={cancel}
        />
        <Failure error={task.error} />
        <div className={styles.reuse}>
          <SavedRequests server={server} tool={original} value={value} onChoose={change} />
          <CopyAs tool={tool} schema={schema} value={value} />
        </div>
      </DetailView>
      {run.state === 'done' && run.answer.result && (
        <AppPanel key={run.answer.trace} call={{ tool, input: run.input, result: run.answer.result }} />
      )}
      <TasksPanel
        server={server}
        tool={original}
        onShow={(answer, input) => {
          change(input)
          show(answer, input)
        }}
      />
      <HistoryPanel
        of={key}
        onChoose={({ input, answer }) => {
          change(input)
          show(answer, input)
        }}
        onRunAgain={({ input }) => {
          change(input)
          void start(input)
        }}
        actions={(runs) =>
          runs.length > 1 && (
            <SaveTests server={server} tool={original} calls={runs.toReversed()}>
              Save all as tests
            </SaveTests>
          )
        }
      />
    </>
  )
}
