import type { Channel, Receiver } from '../../../rpc/channel.ts'
import { Malformed } from '../../../wire/classify.ts'
import { InvalidRequest, McpError, RpcError } from '../../../wire/errors.ts'
import { isId, isObject, type Message, type NotificationMessage } from '../../../wire/messages.ts'
import { readValue } from '../../../wire/read-messages.ts'
import { plainJsonProblem } from './plain-json.ts'

/** A window that messages are posted to: that of a frame, as the page that holds it sees it. */
export interface ViewWindow {
  postMessage(message: unknown, targetOrigin: string): void
}

/** A message that a window received. */
export interface WindowMessage {
  readonly data: unknown
  readonly origin: string
  readonly source: unknown
}

/** The window that receives what views post. */
export interface HostWindow {
  /** The origin of the page. */
  readonly origin?: string
  addEventListener(type: 'message', listener: (event: WindowMessage) => void): void
  removeEventListener(type: 'message', listener: (event: WindowMessage) => void): void
}

export interface ViewChannelOptions {
  readonly hostWindow: HostWindow
  /** The window of the frame; messages of others are not looked at. */
  target(): ViewWindow | null
  /** The origin of the frame: `null` for a view without one. */
  readonly origin: string
  readonly maxMessageChars: number
  /** Told of what the page around the view says for itself, which is no part of the conversation. */
  aside(method: string): void
}

/** Messages to and from one frame. Sender, type and size of a message are checked before it is delivered. */
export class ViewChannel implements Channel {
  readonly #options: ViewChannelOptions
  #receiver: Receiver | undefined

  constructor(options: ViewChannelOptions) {
    this.#options = options
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    this.#options.hostWindow.addEventListener('message', this.#received)
  }

  send(message: Message | readonly Message[]): Promise<void> | undefined {
    const target = this.#receiver && this.#options.target()
    if (!target) return Promise.reject(new McpError('NotSent', 'Cannot send: the view is gone', { outcome: 'NotSent' }))
    // an opaque origin has no name to address; the policy of the frame keeps our document in it
    target.postMessage(message, this.#options.origin === 'null' ? '*' : this.#options.origin)
    return undefined
  }

  async close(): Promise<void> {
    const receiver = this.#receiver
    this.#receiver = undefined
    this.#options.hostWindow.removeEventListener('message', this.#received)
    receiver?.closed()
  }

  readonly #received = ({ data, origin, source }: WindowMessage): void => {
    const target = this.#options.target()
    if (target === null || source !== target || origin !== this.#options.origin) return
    const problem = plainJsonProblem(data, this.#options.maxMessageChars)
    if (problem !== undefined) return this.#refuse(problem, data)
    const message = Array.isArray(data) ? new Malformed('Cannot read message: not a JSON object') : readValue(data)
    if (message instanceof RpcError)
      this.#receiver?.malformed(message, message instanceof Malformed ? message.id : undefined)
    else if (isAside(message as Message)) this.#options.aside((message as NotificationMessage).method)
    else this.#receiver?.message(message as Message)
  }

  #refuse(problem: string, data: unknown): void {
    const id = isObject(data) && isId(data.id) && String(data.id).length <= 100 ? data.id : undefined
    const isResponse = isObject(data) && data.method === undefined
    if (isResponse && id !== undefined)
      this.#receiver?.failed(id, new McpError('InvalidResponse', `Cannot read the answer of a view: ${problem}`))
    else if (!isResponse) this.#receiver?.malformed(new RpcError(InvalidRequest, `Cannot read message: ${problem}`), id)
  }
}

function isAside(message: Message): boolean {
  return 'method' in message && message.method.startsWith('ui/notifications/sandbox-')
}
