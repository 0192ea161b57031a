import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import type { HostLink } from '../host/host-link.ts'
import { PlaceQuestions } from '../host/place-questions.ts'
import type { ShownQuestion } from '../host/show.ts'
import type { SaidInput } from './chat-line.ts'
import type { ChatEvent } from './chat-screen.ts'

/** The event that ends a turn. */
export type TurnEnd = Extract<ChatEvent, { readonly type: 'end' | 'failed' }>

export interface TurnOptions {
  readonly host: HostLink
  readonly conversation: string
  readonly input: SaidInput
  /** Stops the answer and its calls; the turn then ends in good order. */
  readonly signal: AbortSignal
  show(event: ChatEvent): void
  /** Puts a question to the person. @default no person can be asked here */
  ask?(question: ShownQuestion, signal: AbortSignal): Promise<void>
  /** Called with a question that cannot be asked here. */
  onUndecided?(question: ShownQuestion): void
}

/** Says something, shows what happens and asks what has to be asked, until the model has answered. */
export async function runTurn(options: TurnOptions): Promise<TurnEnd> {
  const { host, conversation, input, signal } = options
  const listening = new AbortController()
  const stop = (): void => void host.call('stopChat', { id: conversation }).catch(() => {})
  let isOpen = (): void => {}
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  const ended = listen(options, listening.signal, () => isOpen())
  ended.catch(() => {})
  try {
    await Promise.race([opened, ended])
    signal.throwIfAborted()
    await host.call('sendChat', { id: conversation, ...input })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    return await ended
  } finally {
    signal.removeEventListener('abort', stop)
    listening.abort()
  }
}

async function listen(options: TurnOptions, signal: AbortSignal, onOpen: () => void): Promise<TurnEnd> {
  const { host, conversation, show, ask } = options
  // host and command read the same clock
  const startedAt = Date.now()
  /** Questions that other conversations left open; a call equal to one of theirs shares its question. */
  const earlier = new Map<string, ShownQuestion>()
  const raise = (question: ShownQuestion): void => {
    if (ask) questions.ask(question)
    else options.onUndecided?.(question)
  }
  const questions = new PlaceQuestions(async (question, withdrawn) => {
    await ask?.(question, AbortSignal.any([withdrawn, options.signal]))
  })
  try {
    for await (const event of host.events(signal, onOpen)) {
      if (event.event === 'question' && isOfChat(event.question)) {
        if (event.question.askedAt >= startedAt) raise(event.question)
        else earlier.set(event.question.id, event.question)
      }
      if (event.event === 'withdrawn') {
        earlier.delete(event.id)
        questions.withdraw(event.id)
      }
      if (event.event !== 'chat' || event.conversation !== conversation) continue
      const { chat } = event
      for (const question of earlier.values()) {
        if (!isAbout(question, chat)) continue
        earlier.delete(question.id)
        raise(question)
      }
      if (chat.type === 'end' || chat.type === 'failed') return chat
      questions.after(() => show(chat))
    }
  } catch (error) {
    // a connection that breaks off is a host that ended
    if (signal.aborted || error instanceof Failure) throw error
  } finally {
    await questions.end()
  }
  throw new Failure('The host ended', { code: 'NoHost', exit: exitCodes.unreachable, hint: 'Start it: trunkline up' })
}

/** Questions about calls of the chat, and of servers that work for it. */
function isOfChat({ principal }: ShownQuestion): boolean {
  return principal === 'chat' || principal.startsWith('server ')
}

/** True if an event says that a call waits, or may wait, for this question. */
function isAbout({ id, target }: ShownQuestion, event: ChatEvent): boolean {
  if (event.type === 'waiting') return event.question === id
  return event.type === 'call' && event.name.endsWith(target)
}
