import { createStore } from '../host/store.ts'

/** A tool that this page started as a task; the host goes on with it whether the page is open or not. */
export interface TaskRun {
  readonly run: string
  readonly server: string
  readonly tool: string
  /** Its id at the host. */
  readonly task: string
  readonly at: number
  readonly input: Record<string, unknown>
}

const key = 'trunkline-tasks'
const maxKept = 50

/** The tasks of this tab, newest first; they are still there when it was loaded anew. */
export const taskRuns = createStore<readonly TaskRun[]>(readKept())

export function addTaskRun(run: TaskRun): void {
  keep([run, ...taskRuns.get()].slice(0, maxKept))
}

export function forgetTaskRun({ run }: TaskRun): void {
  keep(taskRuns.get().filter((one) => one.run !== run))
}

function keep(runs: readonly TaskRun[]): void {
  taskRuns.set(runs)
  try {
    sessionStorage.setItem(key, JSON.stringify(runs))
  } catch {
    // arguments that are too large to keep are here until the page is loaded anew
  }
}

function readKept(): readonly TaskRun[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}
