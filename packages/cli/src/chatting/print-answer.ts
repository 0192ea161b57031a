import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import type { HostLink } from '../host/host-link.ts'
import type { ShownQuestion } from '../host/show.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'
import type { SaidInput } from './chat-line.ts'
import { ChatScreen, tookLine } from './chat-screen.ts'
import { failureOf } from './outcome.ts'
import { runTurn, type TurnOptions } from './turn.ts'

export interface PrintOptions extends Pick<TurnOptions, 'signal' | 'ask'> {
  readonly host: HostLink
  readonly output: Output
  readonly conversation: string
  readonly input: SaidInput
  /** True to wait for a decision made elsewhere. */
  readonly wait: boolean
}

/** One question and its answer, for scripts: the answer alone goes to stdout. */
export async function printAnswer(options: PrintOptions): Promise<void> {
  const { output, conversation, wait } = options
  const screen = new ChatScreen(output)
  const stop = new AbortController()
  const calls: object[] = []
  let text = ''
  let undecided: ShownQuestion | undefined
  const end = await runTurn({
    ...options,
    signal: AbortSignal.any([options.signal, stop.signal]),
    show(event) {
      if (event.type === 'text') text += event.text
      if (event.type === 'call') calls.push({ name: event.name, arguments: event.arguments })
      if (event.type !== 'text' || !output.json) screen.show(event)
    },
    onUndecided(question) {
      if (wait) return output.note(styled('warning', `${nameOf(question)} waits for a decision elsewhere`))
      undecided = question
      stop.abort()
    },
  })
  screen.closeLine()
  if (undecided) throw notDecided(undecided)
  const failure = failureOf(end)
  if (failure) throw failure
  const { took } = screen
  if (output.json) output.result({ conversation, text, calls, tokens: took }, () => [])
  else output.note(styled('faint', `${tookLine(took)}, conversation ${conversation}`))
}

function nameOf({ server, target }: ShownQuestion): string {
  return `"${server}:${target}"`
}

function notDecided(question: ShownQuestion): Failure {
  const message = `${nameOf(question)} waits for an approval (question ${question.id}), and nobody can be asked here`
  return new Failure(message, {
    code: 'NotInteractive',
    exit: exitCodes.denied,
    hint: 'Run it in a terminal, or with --wait and decide elsewhere: trunkline inbox',
  })
}
