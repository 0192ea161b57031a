import { randomId } from '@trunkline/base/random-id'
import type { AnswerInput, DuringCall } from '../../../dialects/dialect.ts'
import type { TaskAnswerRules } from '../../../dialects/tasks/answer-rules.ts'
import { hasEnded, type TaskState } from '../../../model/task.ts'
import type { Interceptor } from '../../../rpc/interceptor.ts'
import { InternalError, InvalidParams, RpcError, toWire } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'

interface AnswerTask {
  state: TaskState
  readonly ended: Promise<void>
  end(news: Partial<TaskState>): void
}

/** Limits of client tasks. */
const kept = { most: 1_000, usualTtlMs: 3_600_000, longestTtlMs: 86_400_000, pollMs: 1_000, pageSize: 100 } as const

/** The tasks of a client: requests of the server that are answered as tasks. */
export class AnswerTasks {
  readonly #rules: TaskAnswerRules
  readonly #warn: (message: string) => void
  readonly #tasks = new Map<string, AnswerTask>()
  #isOn = false

  constructor(rules: TaskAnswerRules, warn: (message: string) => void) {
    this.#rules = rules
    this.#warn = warn
  }

  /** Enables tasks; called when the negotiated revision has them. */
  switchOn(): void {
    this.#isOn = true
  }

  /** The number of tasks. */
  get size(): number {
    return this.#tasks.size
  }

  /** Answers with a task where one is requested, and serves the task methods. */
  readonly intercept: Interceptor<AnswerInput> = (next) => async (method, params, during) => {
    if (!this.#isOn) return next(method, params, during)
    const serve = this.#serving.get(method)
    if (serve) return serve(params)
    const { ttl, isWanted } = this.#rules.wish(params)
    return isWanted ? this.#start(method, params, { next, during, ttl }) : next(method, params, during)
  }

  readonly #serving = new Map<string, (params: Fields) => Promise<Fields> | Fields>([
    ['tasks/get', (params) => this.#rules.shown(this.#find(params).state)],
    ['tasks/cancel', (params) => this.#cancel(this.#find(params))],
    ['tasks/list', (params) => this.#list(params)],
    [
      'tasks/result',
      async (params) => {
        const task = this.#find(params)
        await task.ended
        return this.#rules.result(task.state)
      },
    ],
  ])

  #start(method: string, params: Fields, { next, during, ttl }: Starting): Fields {
    this.#sweep()
    if (this.#tasks.size >= kept.most)
      throw new RpcError(InternalError, `Cannot store the answer: ${kept.most} are stored already`)
    const now = Date.now()
    const ttlMs = Math.min(ttl ?? kept.usualTtlMs, kept.longestTtlMs)
    const id = randomId(33)
    const task = answerTask({ id, status: 'working', createdAt: now, updatedAt: now, ttlMs, pollMs: kept.pollMs })
    this.#tasks.set(id, task)
    next(method, this.#rules.without(params), during).then(
      (result) => task.end({ status: 'completed', result }),
      (error) => {
        if (!(error instanceof RpcError)) this.#warn(`Could not answer "${method}": ${messageOf(error)}`)
        task.end({ status: 'failed', error: toWire(error) })
      },
    )
    return this.#rules.created(task.state)
  }

  #find({ taskId }: Fields): AnswerTask {
    this.#sweep()
    const task = this.#tasks.get(taskId as string)
    if (task) return task
    throw new RpcError(InvalidParams, `Cannot find task "${String(taskId).slice(0, 80)}": no such task`, {
      field: 'taskId',
    })
  }

  #cancel(task: AnswerTask): Fields {
    if (hasEnded(task.state))
      throw new RpcError(InvalidParams, `Cannot cancel task "${task.state.id}": it has ended as ${task.state.status}`)
    task.end({ status: 'cancelled' })
    return this.#rules.shown(task.state)
  }

  #list({ cursor = '0' }: Fields): Fields {
    this.#sweep()
    const start = Number(cursor)
    if (!Number.isSafeInteger(start) || start < 0)
      throw new RpcError(InvalidParams, 'Cannot list: "cursor" was not issued by this client', { field: 'cursor' })
    const all = [...this.#tasks.values()]
    const tasks = all.slice(start, start + kept.pageSize).map(({ state }) => this.#rules.shown(state))
    const end = start + kept.pageSize
    return end < all.length ? { tasks, nextCursor: String(end) } : { tasks }
  }

  #sweep(): void {
    const now = Date.now()
    for (const [id, { state }] of this.#tasks) {
      if (state.ttlMs !== null && state.createdAt + state.ttlMs <= now) this.#tasks.delete(id)
    }
  }
}

interface Starting {
  readonly next: AnswerInput
  readonly during: DuringCall | undefined
  readonly ttl: number | undefined
}

function answerTask(first: TaskState): AnswerTask {
  let resolve = (): void => {}
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  const task: AnswerTask = {
    state: first,
    ended,
    end(news) {
      if (hasEnded(task.state)) return
      task.state = { ...task.state, ...news, updatedAt: Date.now() }
      resolve()
    },
  }
  return task
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
