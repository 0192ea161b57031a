/** A tool that says what a test tells it to, and a store that does what a test tells it to. */
import { server } from '@trunkline/mcp'
import { type EventStore, MemoryEventStore, type SessionOptions, type StoredEvent } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { Mailbox } from '../mailbox.ts'
import { faceAt, openSession } from '../threats/faces.ts'
import { sessionCall } from '../threats/messages.ts'
import { type Reading, read } from '../threats/streams.ts'

/** A server with a tool that talks, in the middle of a call. */
export async function talking(sessions: SessionOptions) {
  const words = new Mailbox<string>()
  const said = new Mailbox<string>()
  const reported: string[] = []
  const onError = (error: unknown, what: string): unknown => reported.push(`${what}: ${(error as Error).message}`)
  const definition = server({ name: 'talking', ...quiet, onError }).tool('talk', {}, async (_, ctx) => {
    for (let word = await words.take(); word !== 'end'; word = await words.take()) {
      ctx.log('error', word)
      said.put(word)
    }
    said.put('end')
    return 'end'
  })
  const listening = await serveHttp(definition, { sessions, drainMs: 1 })
  const session = await openSession(faceAt(listening.url))
  // a stream opens with the first event
  words.put('hello')
  const call = await read(listening.url, sessionCall(session, 'talk'))
  await said.take()
  await call.events.take()
  const { id: first } = await call.events.take()
  return {
    definition,
    url: listening.url,
    session,
    reported,
    /** The stream of the call, and the id of the first event with something in it. */
    call,
    first,
    /** Says something; resolves when it was sent, or kept for later. */
    async say(...given: readonly string[]) {
      for (const word of given) {
        words.put(word)
        await said.take()
      }
    },
    async [Symbol.asyncDispose]() {
      call[Symbol.dispose]()
      await listening.close()
    },
  }
}

/** The next words on a stream. */
export async function heard({ events }: Reading, count: number): Promise<string[]> {
  const words: string[] = []
  while (words.length < count) {
    const { message } = await events.take()
    words.push(message.result ? message.result.content[0].text : message.params.data)
  }
  return words
}

/** A store that answers when, and as, it is told to. */
export class HandStore implements EventStore {
  readonly #memory = new MemoryEventStore()
  /** Waits for what came after a number to be given, or refused. */
  readonly asked = new Mailbox<Asked>()
  append: EventStore['append'] = (stream, event) => this.#memory.append(stream, event)
  drop: EventStore['drop'] = (stream) => this.#memory.drop(stream)

  /** Keeps an event as a store should. */
  keep(stream: string, event: StoredEvent): void {
    this.#memory.append(stream, event)
  }

  async after(stream: string, number: number): Promise<readonly StoredEvent[] | undefined> {
    const before = this.#memory.after(stream, number)
    const { promise, open } = gate<Manner>()
    this.asked.put({ answer: open })
    const answer = await promise
    if (answer instanceof Error) throw answer
    if (answer === 'nothing') return undefined
    return answer === 'as it was' ? before : this.#memory.after(stream, number)
  }
}

type Manner = 'as it was' | 'as it is' | 'nothing' | Error

interface Asked {
  answer(how: Manner): void
}
