import type { ServerRequest } from '../../../dialects/dialect.ts'
import type { InputLimits } from '../../../dialects/input-limits.ts'
import type { QuestionKeys } from '../../../dialects/question-keys.ts'
import type { RequestedTask, TaskRules } from '../../../dialects/tasks/task-rules.ts'
import type { ToolCall, ToolRun } from '../../../server/extension.ts'
import type { TaskEntry } from '../../../stores/task-store.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { tasksExtensionId } from '../../../wire/vocabularies/tasks-extension.ts'
import { DetachableInput } from './detachable-input.ts'
import type { TaskSettings } from './server-task-options.ts'
import type { TaskSupport } from './task-definition.ts'
import { TaskInput } from './task-input.ts'
import type { TaskRun } from './task-run.ts'
import type { TaskRuns } from './task-runs.ts'
import { workOf } from './task-work.ts'

export interface TaskCallParts {
  readonly runs: TaskRuns
  readonly settings: TaskSettings
  readonly limits: InputLimits
}

/** A call that becomes a task once its arguments are checked, or when its handler detaches. */
export class TaskCall {
  /** The task, once there is one. */
  run: TaskRun | undefined
  readonly #parts: TaskCallParts
  readonly #support: TaskSupport
  readonly #rules: TaskRules
  readonly #wish: RequestedTask
  #onCreated: (run: TaskRun) => void = () => {}

  constructor(
    parts: TaskCallParts,
    { support, rules, wish }: { support: TaskSupport; rules: TaskRules; wish: RequestedTask },
  ) {
    this.#parts = parts
    this.#support = support
    this.#rules = rules
    this.#wish = wish
  }

  /** A resumed task. */
  static resumed(parts: TaskCallParts, support: TaskSupport, run: TaskRun): TaskCall {
    const call = new TaskCall(parts, { support, rules: run.rules, wish: {} })
    call.run = run
    return call
  }

  /** Calls back when there is a task. */
  onCreated(listener: (run: TaskRun) => void): void {
    this.#onCreated = listener
  }

  /** Runs the handler as a task, from its start or from `ctx.detach()`. */
  begin(call: ToolCall, next: ToolRun): unknown {
    const { run } = this
    if (run) return next(call.withRequest(this.#inside(call.request, run)))
    if (this.#support.asksFirst) return next(call.withRequest(this.#early(call.request)))
    return this.#create(call.request).then((created) => next(call.withRequest(this.#inside(call.request, created))))
  }

  async #create(request: ServerRequest, entries: readonly TaskEntry[] = []): Promise<TaskRun> {
    const { runs, settings } = this.#parts
    const { ttlMs = settings.ttlMs, pollMs = settings.pollMs, resumable: isResumable = false } = this.#support
    const { caller } = request
    const work = workOf(request, pollMs)
    const wanted = this.#wish.ttlMs ?? ttlMs
    const run = await runs.create({ rules: this.#rules, caller, work, ttlMs: wanted, entries, isResumable })
    if (this.#rules.tells) run.announceTo(request.incoming)
    this.run = run
    // a caller that cancels or disconnects before the answer has no task id
    const { signal } = request.incoming
    if (signal.aborted) await run.cancel()
    else signal.addEventListener('abort', () => void run.cancel().catch(() => {}))
    this.#onCreated(run)
    return run
  }

  #inside(request: ServerRequest, run: TaskRun): ServerRequest {
    const { rounds: _, ...rest } = request
    return { ...rest, incoming: run.incoming, input: this.inputOf(run) }
  }

  /** The input of the task's handler; `asked` has the keys of earlier questions. */
  inputOf(run: TaskRun, asked?: QuestionKeys): TaskInput {
    const parts = {
      journal: run.journal,
      rules: run.rules,
      caller: run.caller,
      limits: this.#parts.limits,
      tell: (method: string, params: Fields) => run.tell(method, params),
    }
    return new TaskInput(parts, asked)
  }

  #early(request: ServerRequest): ServerRequest {
    const input = new DetachableInput(request, async ({ keys, entries }) => {
      const run = await this.#create(request, entries)
      return { run, input: this.inputOf(run, keys) }
    })
    return { ...request, incoming: input.incoming, input }
  }
}

/** The task that a request belongs to, or is about to become. */
export function taskCallOf({ added }: ServerRequest): TaskCall | undefined {
  return added?.[tasksExtensionId] as TaskCall | undefined
}

/** Throws for members that only tasks have. */
export function noTask(what: string): never {
  throw new McpError('Misuse', `Cannot use "${what}": this call does not run as a task`)
}
