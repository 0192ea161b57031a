import { describeError } from '../failure/describe-error.ts'
import { answerQuestion } from '../host/answer-question.ts'
import type { HostLink } from '../host/host-link.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'
import { interruptible } from '../terminal/interrupt.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { runChatCommand } from './chat-commands.ts'
import { type ChatCommandName, readChatLine, type SaidInput } from './chat-line.ts'
import { ChatScreen, tookLine } from './chat-screen.ts'
import { failureOf } from './outcome.ts'
import { runTurn, type TurnOptions } from './turn.ts'
import { typedLine } from './typed-line.ts'

export interface ConverseOptions {
  /** Link to the host; one that ended while the conversation was idle is started again. */
  openHost(): Promise<HostLink>
  readonly output: Output
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The conversation to go on with. */
  readonly conversation: string
  /** First message of the person. */
  readonly first: SaidInput | undefined
}

/** Lines kept in the history. */
const maxHistory = 100

/** A conversation in a terminal, line by line, until the input is closed. */
export async function converse(options: ConverseOptions): Promise<void> {
  const { output, terminal, signal, first } = options
  const history: string[] = []
  let { conversation } = options
  if (first) await turn(options, conversation, first)
  for (;;) {
    const line = await typedLine(await options.openHost(), terminal, { history, signal })
    if (line === undefined) return
    if (line.trim() !== '') history.unshift(line)
    history.length = Math.min(history.length, maxHistory)
    try {
      const read = readChatLine(line)
      if (read === undefined) continue
      if ('input' in read) await turn(options, conversation, read.input)
      else if (isEnd(read.command)) return
      else conversation = await runChatCommand(read, { host: await options.openHost(), output, conversation })
    } catch (error) {
      signal.throwIfAborted()
      output.failure(describeError(error))
    }
  }
}

function isEnd(command: ChatCommandName): boolean {
  return command === 'exit'
}

/** One message and its answer; Ctrl-C stops it, and the conversation goes on. */
async function turn(options: ConverseOptions, conversation: string, input: SaidInput): Promise<void> {
  const { output, terminal } = options
  const host = await options.openHost()
  const screen = new ChatScreen(output)
  const ask = asking({ host, output, terminal }, screen)
  const end = await interruptible((stop) =>
    runTurn({
      host,
      conversation,
      input,
      signal: AbortSignal.any([stop, options.signal]),
      show: (event) => screen.show(event),
      ask,
    }),
  )
  screen.closeLine()
  options.signal.throwIfAborted()
  const failure = failureOf(end)
  if (end.type === 'end' && end.why === 'stopped') output.note(styled('warning', 'Stopped'))
  else if (failure) output.failure(failure)
  output.note(styled('faint', tookLine(screen.took)))
}

/** Questions are put as in the inbox: Enter decides nothing, and keys of the first 0.4 s are ignored. */
export function asking(
  { host, output, terminal }: Pick<ConverseOptions, 'output' | 'terminal'> & { readonly host: HostLink },
  screen: ChatScreen,
): NonNullable<TurnOptions['ask']> {
  return async (question, signal) => {
    screen.closeLine()
    try {
      await answerQuestion(host, question, { output, terminal, signal })
    } catch (error) {
      if (!signal.aborted) throw error
      output.note(styled('faint', 'It was answered elsewhere, or is not needed any more'))
    }
  }
}
