import type { ClientHandler, ClientRequest } from '../../../client/client-request.ts'
import { Pages } from '../../../client/pagination.ts'
import { controlMethods } from '../../../model/control-methods.ts'
import type { Tool } from '../../../model/types.ts'
import type { Interceptor } from '../../../rpc/interceptor.ts'
import type { Progress } from '../../../rpc/pending-call.ts'
import { MethodNotFound, RpcError } from '../../../wire/errors.ts'
import type { Fields, Id } from '../../../wire/messages.ts'
import type { TaskCallOptions } from './client-task-options.ts'
import { RemoteTask, type RemoteTaskParts } from './remote-task.ts'
import { markerOf, type StartMarker } from './start-marker.ts'
import { waitForTask } from './wait-for-task.ts'

const mostRemembered = 10_000

/** The calls of a client that become tasks, with or without a handle. */
export class TaskCalls {
  readonly #parts: RemoteTaskParts
  /** Tools that run only as a task or not, in revisions where the caller has to know. */
  readonly #required = new Map<string, boolean>()
  #learning: Promise<void> | undefined
  /** The progress listeners of tasks, by progress token. */
  readonly #progress = new Map<Id, (progress: Progress) => void>()

  constructor(parts: RemoteTaskParts) {
    this.#parts = parts
  }

  readonly intercept: Interceptor<ClientHandler> = (next) => async (request) => {
    if (request.method === 'tools/list') return this.#learn(await next(request))
    if (request.method !== 'tools/call') return next(request)
    let token: Id | undefined
    const onSent = (id: Id): void => {
      token = id
      request.options.onSent?.(id)
    }
    const sent = { ...request, options: { ...request.options, onSent, onLateResult: this.#onLateResult } }
    const result = await this.#send(next, sent)
    const state = this.#parts.rules.created(result)
    if (!state) return result
    const marker = markerOf(request.options)
    const { onProgress, context } = request.options
    const task = new RemoteTask(state, this.#parts, { onDispose: 'cancel', context, ...followOptions(marker) })
    if (onProgress && token !== undefined) this.#progress.set(token, onProgress)
    try {
      return await finished(task, request, marker)
    } finally {
      if (token !== undefined) this.#progress.delete(token)
    }
  }

  /** Passes on the progress of tasks whose calls were answered before. */
  notified(method: string, params: Fields): void {
    if (method === controlMethods.progress)
      this.#progress.get(params.progressToken as Id)?.(params as unknown as Progress)
  }

  // a call cancelled before its answer came leaves a task whose id no caller has
  readonly #onLateResult = (result: Fields): void => void this.#cancelTask(result).catch(() => {})

  async #cancelTask(result: Fields): Promise<void> {
    const { host, rules } = this.#parts
    const taskId: unknown = rules.created(result)?.id
    if (typeof taskId === 'string') await host.request('tasks/cancel', { taskId })
  }

  async #send(next: ClientHandler, request: ClientRequest): Promise<Fields> {
    const { rules } = this.#parts
    const { params } = request
    const marker = markerOf(request.options)
    const asking = (): ClientRequest => ({ ...request, params: rules.asking(params, marker?.ttlMs) })
    const wantsTask = marker !== undefined || (!rules.serverDecides && (await this.#isRequired(params.name as string)))
    try {
      return await next(wantsTask ? asking() : request)
    } catch (error) {
      // refused before anything ran: the tool runs only as a task, or never
      if (rules.serverDecides || !(error instanceof RpcError) || error.code !== MethodNotFound) throw error
      return next(wantsTask ? request : asking())
    }
  }

  #learn(result: Fields): Fields {
    if (this.#parts.rules.serverDecides) return result
    for (const { name, execution } of result.tools as readonly Tool[]) {
      if (this.#required.size < mostRemembered || this.#required.has(name))
        this.#required.set(name, execution?.taskSupport === 'required')
    }
    return result
  }

  // the caller has to know this, so the tools are listed once
  async #isRequired(tool: string): Promise<boolean> {
    if (!this.#required.has(tool)) {
      this.#learning ??= this.#list()
      await this.#learning
    }
    return this.#required.get(tool) === true
  }

  async #list(): Promise<void> {
    const { host } = this.#parts
    const fetch = (cursor: string | undefined) => host.request('tools/list', cursor === undefined ? {} : { cursor })
    try {
      await new Pages('tools', fetch, host.limits).all()
    } catch (error) {
      host.warn(`Cannot find out which tools run only as tasks: ${error instanceof Error ? error.message : error}`)
    }
  }
}

/** Waits for the task at once, or when its result is requested. */
async function finished(
  task: RemoteTask,
  { options }: ClientRequest,
  marker: StartMarker | undefined,
): Promise<Fields> {
  if (!marker) return waitForTask(task, options as ClientRequest['options'] & TaskCallOptions)
  marker.started(task)
  await marker.isWanted
  return task.outcome()
}

function followOptions(marker: StartMarker | undefined) {
  if (!marker) return {}
  const { onDispose, answer, result } = marker
  return { ...(onDispose && { onDispose }), ...(answer && { answer }), result: () => result.call(marker) }
}
