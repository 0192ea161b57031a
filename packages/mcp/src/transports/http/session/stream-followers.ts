import { LogReader } from '../../../cluster/log-reader.ts'
import type { ClusterMember } from '../../../cluster/member.ts'
import { fromBase64url, toBase64url } from '../../../wire/base64url.ts'
import { InternalError } from '../../../wire/errors.ts'
import type { Id } from '../../../wire/messages.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import type { Headers } from '../headers.ts'
import { formatEvent } from '../server/event-format.ts'
import type { EventSink, HttpReply } from '../server/request-reply.ts'

/** Streams whose followers are remembered; a client of more has to resume again. */
const mostFollowed = 1_000
const follow = 'follow'
const grown = 'grown'

/** Streams that are resumed at another process than the one that writes them: those of this process, and of others. */
export class StreamFollowers {
  /** Epochs of the processes that follow a stream of this one. */
  readonly #byStream = new Map<string, Set<string>>()
  readonly #following = new Map<string, Set<FollowedStream>>()

  constructor(member: ClusterMember) {
    member.on(follow, ({ stream, by }) => {
      const followers = this.#byStream.get(stream as string) ?? new Set()
      this.#byStream.set(stream as string, followers.add(by as string))
      for (const [oldest] of this.#byStream) {
        if (this.#byStream.size <= mostFollowed) break
        this.#byStream.delete(oldest)
      }
      // there may be an event since the follower has read
      this.grew(stream as string, member)
    })
    member.on(grown, ({ stream }) => this.#wake(stream as string))
    member.onView(() => {
      for (const stream of this.#following.keys()) this.#wake(stream)
    })
  }

  /** Tells the processes that follow a stream of this one that there is more of it. */
  grew(stream: string, member: ClusterMember): void {
    const followers = this.#byStream.get(stream)
    if (followers) member.tell([...followers], { about: grown, stream }).catch(member.failed)
  }

  /** Sends the rest of a stream that another process writes. */
  follow(followed: FollowedStream): void {
    const all = this.#following.get(followed.key) ?? new Set()
    this.#following.set(followed.key, all.add(followed))
    followed.start(() => {
      all.delete(followed)
      if (all.size === 0) this.#following.delete(followed.key)
    })
  }

  #wake(stream: string): void {
    for (const followed of this.#following.get(stream) ?? []) followed.wake()
  }
}

export interface FollowedStreamParts {
  /** The name of the stream. */
  readonly key: string
  /** The process that writes it. */
  readonly writer: string
  /** The requests that it answers. */
  readonly ids: readonly Id[]
  /** The number of the last event that the client has. */
  readonly after: number
  readonly member: ClusterMember
  readonly reply: HttpReply
  readonly headers: Headers
}

/** A stream of another process, sent on a response of this one. */
export class FollowedStream {
  readonly key: string
  readonly #parts: FollowedStreamParts
  readonly #reader: LogReader
  #sink: EventSink | undefined
  #sent: number
  #onEnd: () => void = () => {}

  constructor(parts: FollowedStreamParts) {
    this.#parts = parts
    this.key = parts.key
    this.#sent = parts.after
    this.#reader = new LogReader(() => this.#read(), parts.member.failed)
  }

  /** Begins to send; `onEnd` is called when there is no more, or the client is gone. */
  start(onEnd: () => void): void {
    const { member, writer, reply, headers } = this.#parts
    this.#onEnd = onEnd
    this.#sink = reply.stream(headers)
    reply.onGone(() => this.#end())
    member.tell([writer], { about: follow, stream: this.key, by: member.epoch }).catch(member.failed)
    this.wake()
  }

  wake(): void {
    void this.#reader.wake()
  }

  async #read(): Promise<boolean> {
    const { member, writer } = this.#parts
    const { events } = member.stores
    const sink = this.#sink
    if (!sink) return false
    if (sink.full) await sink.full
    const found = await events.after(this.key, this.#sent)
    if (!found) this.#end()
    for (const { number, data } of found ?? []) {
      this.#sent = number
      void sink.write(formatEvent({ data, id: `${this.key}.${number}` }))
    }
    if (!found || found.length > 0) return found !== undefined
    const head = await events.head(this.key)
    // the last event may have come after the read
    if (head?.isClosed && head.last > this.#sent) return true
    if (head?.isClosed) this.#end()
    else if (!(await member.lives(writer))) return this.#close()
    return false
  }

  /** Closes the stream of a process that is gone, unless that was quicker. */
  async #close(): Promise<boolean> {
    const error = { code: InternalError, message: outcomeUnknown }
    const answers = this.#parts.ids.map((id) => ({ jsonrpc: '2.0' as const, id, error }))
    const [answer] = answers
    const data = answer ? writeMessage(answers.length === 1 ? answer : answers) : ''
    await this.#parts.member.stores.events.appendIf(this.key, { number: this.#sent + 1, data }, { closes: true })
    return true
  }

  #end(): void {
    this.#sink?.end()
    this.#sink = undefined
    this.#onEnd()
  }
}

const outcomeUnknown = 'The process that served the request is gone: the outcome is unknown'

/** The end of the name of a stream, which says what it answers; empty for ids that would make it long. */
export function nameOfIds(ids: readonly Id[]): string {
  const name = toBase64url(new TextEncoder().encode(JSON.stringify(ids)))
  return name.length <= longestName ? name : ''
}

/** The ids in the name of a stream. */
export function idsOfName(name: string): readonly Id[] {
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64url(name)))
  } catch {
    return []
  }
}

const longestName = 256
