import type { ClientTask } from '@trunkline/mcp/tasks'
import type { HostEvent } from './events.ts'

/** Tasks whose changes are told at a time; of one more the page hears when it asks. */
const usualMaxFollowed = 100

/** The tasks of pages whose changes are told as events. */
export class FollowedTasks {
  readonly #tell: (event: HostEvent) => void
  readonly #most: number
  readonly #followed = new Set<string>()

  constructor(tell: (event: HostEvent) => void, most = usualMaxFollowed) {
    this.#tell = tell
    this.#most = most
  }

  /** Tells the changes of a task from now on, unless too many are followed. */
  follow(server: string, task: ClientTask): void {
    const { id } = task
    if (id === undefined || this.#followed.has(id) || this.#followed.size >= this.#most) return
    this.#followed.add(id)
    void this.#tellAll(server, id, task).finally(() => this.#followed.delete(id))
  }

  async #tellAll(server: string, id: string, task: ClientTask): Promise<void> {
    try {
      for await (const { status, statusMessage: message } of task) {
        this.#tell({ event: 'task', server, task: id, status, ...(message !== undefined && { message }) })
      }
    } catch {
      // the server is gone; a request for the task reports it
    }
  }
}
