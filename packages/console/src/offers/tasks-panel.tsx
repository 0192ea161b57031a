import { useMutation, useQuery } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { callHost } from '../host/call.ts'
import { queryClient, routeQuery } from '../host/queries.ts'
import { useStore } from '../host/store.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { Panel } from '../parts/panel.tsx'
import { Said } from '../text/said.tsx'
import { Time } from '../text/time.tsx'
import { AsksFirst, useOwnQuestion } from './asks-first.tsx'
import styles from './offers.module.css'
import type { RunAnswer } from './run-history.ts'
import { RunProgress } from './run-progress.tsx'
import { forgetTaskRun, type TaskRun, taskRuns } from './task-runs.ts'

type TaskState = RouteAnswer<'task'>

export interface TasksPanelProps {
  readonly server: string
  readonly tool: string
  /** Shows what a task that has ended came to. */
  onShow(answer: RunAnswer, input: TaskRun['input']): void
}

/** The tasks of one tool that this page started, and how each stands. */
export function TasksPanel({ server, tool, onShow }: TasksPanelProps) {
  const runs = useStore(taskRuns).filter((run) => run.server === server && run.tool === tool)
  if (runs.length === 0) return null
  return (
    <Panel title="Tasks">
      <ul className={styles.history} aria-label="Tasks of this tool">
        {runs.map((run) => (
          <TaskRow key={run.run} run={run} onShow={onShow} />
        ))}
      </ul>
    </Panel>
  )
}

const looks: { readonly [status in TaskState['status']]: readonly [Tone, string] } = {
  working: ['accent', 'working'],
  input_required: ['warn', 'asks you'],
  completed: ['good', 'completed'],
  failed: ['bad', 'failed'],
  cancelled: ['plain', 'cancelled'],
}

function TaskRow({ run, onShow }: { readonly run: TaskRun; onShow: TasksPanelProps['onShow'] }) {
  const { server, tool, task } = run
  const query = routeQuery('task', { server, task })
  const { data, error } = useQuery(query)
  const question = useOwnQuestion({ server, name: tool, startedAt: run.at })
  const cancel = useMutation({
    mutationFn: () => callHost('cancelTask', { server, task }),
    onSuccess: (state) => queryClient.setQueryData(query.queryKey, state),
  })
  const isOpen = data?.status === 'working' || data?.status === 'input_required'
  const [tone, word] = data ? looks[data.status] : (['plain', error ? 'gone' : 'looking'] as const)
  const answer = data && answerOf(data)
  return (
    <li className={styles.task}>
      <div className={styles.past}>
        <Time at={run.at} />
        <code>
          <Said text={JSON.stringify(run.input)} oneLine />
        </code>
        <Badge tone={tone}>{word}</Badge>
        <span className="buttons">
          {isOpen && (
            <Button size="s" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel
            </Button>
          )}
          {answer && (
            <Button size="s" onClick={() => onShow(answer, run.input)}>
              Show result
            </Button>
          )}
          {!isOpen && (
            <Button size="s" tone="quiet" onClick={() => forgetTaskRun(run)}>
              Forget
            </Button>
          )}
        </span>
      </div>
      {isOpen && question && <AsksFirst question={question} />}
      {isOpen && !question && <RunProgress run={run.run} message={data.message} />}
      <Failure error={error ?? cancel.error} />
    </li>
  )
}

function answerOf({ result, error, createdAt, updatedAt }: TaskState): RunAnswer | undefined {
  if (!result && !error) return undefined
  return { ...(result && { result }), ...(error && { error }), ms: updatedAt - createdAt, trace: '' }
}
