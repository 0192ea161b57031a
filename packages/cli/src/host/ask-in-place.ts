import type { Invocation } from '../command/command.ts'
import { styled } from '../output/span.ts'
import { answerQuestion } from './answer-question.ts'
import { refuseCallers } from './decided-here.ts'
import { type HostLink, openHost } from './host-link.ts'
import { PlaceQuestions } from './place-questions.ts'
import type { ShownQuestion } from './show.ts'

/** A call of this command to a server of the host. */
export interface OwnCall {
  readonly server: string
  readonly tool: string
}

/** The server of the host that a command line names; undefined for one at a URL, or a program. */
export function configuredServer({ words: [first], program, client, clientOf }: Invocation): string | undefined {
  if (client !== undefined) return clientOf
  return program !== undefined || /^\w+:\/\//.test(first ?? '') ? undefined : first
}

/**
 * Makes a call through the host. A decision that the call needs is asked for at an interactive terminal, and announced
 * elsewhere, so that the wait is explained.
 */
export async function askInPlace<Result>(
  own: OwnCall,
  { output, terminal, signal }: Invocation,
  call: () => Promise<Result>,
): Promise<Result> {
  const host = await openHost()
  const isAsked = terminal.isInteractive && (await isOwnTerminal())
  const questions = new PlaceQuestions((question, withdrawn) => {
    if (isAsked) return answerQuestion(host, question, { output, terminal, signal: withdrawn })
    output.note(styled('warning', `"${question.server}:${question.target}" waits for an approval`))
    return Promise.resolve()
  })
  const listening = new AbortController()
  await listen(host, { own, questions, signal: AbortSignal.any([listening.signal, signal]) })
  try {
    return await call()
  } finally {
    listening.abort()
    await questions.end()
  }
}

interface Listening {
  readonly own: OwnCall
  readonly questions: PlaceQuestions
  readonly signal: AbortSignal
}

/** Resolves when nothing that is asked from now on can be missed. */
function listen(host: HostLink, { own, questions, signal }: Listening): Promise<void> {
  const startedAt = Date.now()
  return new Promise((resolve) => {
    const follow = async (): Promise<void> => {
      for await (const event of host.events(signal, resolve)) {
        if (event.event === 'question' && isAbout(event.question, own, startedAt)) questions.ask(event.question)
        if (event.event === 'withdrawn') questions.withdraw(event.id)
      }
    }
    // a host that ends fails the call itself
    follow()
      .catch(() => {})
      .finally(resolve)
  })
}

/** Questions about this call, which an equal one may have raised before, and of servers that work for it. */
function isAbout({ principal, server, target, askedAt }: ShownQuestion, own: OwnCall, startedAt: number): boolean {
  if (principal === 'command' && server === own.server && target === own.tool) return true
  return askedAt >= startedAt && (principal === 'command' || principal === `server ${own.server}`)
}

async function isOwnTerminal(): Promise<boolean> {
  return refuseCallers().then(
    () => true,
    () => false,
  )
}
