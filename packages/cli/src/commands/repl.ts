import { createInterface } from 'node:readline'
import type { Client, ClientExtension } from '@trunkline/mcp/client'
import { type CommandContext, defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { runCommand } from '../command/run-command.ts'
import { serverOptions } from '../command/shared-options.ts'
import { splitLine } from '../command/split-line.ts'
import { describeError } from '../failure/describe-error.ts'
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts'
import { type Failure, usageFailure } from '../failure/failure.ts'
import type { LineContext } from '../manual/line-candidates.ts'
import { styled } from '../output/span.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { TerminalQuestions } from '../terminal/questions.ts'

/** `trunkline repl`: many commands on one connection. */
export const replCommand = defineCommand({
  name: 'repl',
  group: 'servers',
  needs: 'nothing',
  summary: 'Runs many commands on one connection to a server',
  usage: ['SERVER', '-- PROGRAM [ARGUMENT…]'],
  details: [
    'Each line is a command without "trunkline" and without the server: tools, call add a=1 b=2, read URI. A line that starts with the name of a tool calls it. Tab completes commands, tools, arguments and addresses. Ctrl-C stops the running command; Ctrl-D or exit ends. Lines can also come from a pipe; the exit code is then that of the last command that failed.',
  ],
  options: serverOptions,
  json: 'what each line prints, as the command of that name does',
  examples: [
    { line: 'trunkline repl -- node server.js', shows: 'an interactive session' },
    {
      line: "printf 'tools\\ncall add a=1 b=2\\n' | trunkline repl -- node server.js",
      shows: 'two commands from a pipe',
    },
  ],
  async run(invocation) {
    const { output, terminal, signal } = invocation
    // any command may be typed, those about tasks too
    const { tasks } = await import('@trunkline/mcp/tasks')
    await using server = await openServer(invocation, { extensions: [tasks() as ClientExtension] })
    const { client } = server
    const name = client.server?.name ?? 'server'
    output.note(styled('faint', `${name}, revision ${client.revision}; "help" lists the commands, Ctrl-D ends`))
    const { configuredServer } = await import('../host/ask-in-place.ts')
    const context = { ...invocation, client, clientOf: configuredServer(invocation) }
    const gone = client.whenClosed.then((reason) => Promise.reject(reason ?? new Error('The server is gone')))
    gone.catch(() => {})
    const lines = terminal.isInteractive ? typedLines(name, context) : createInterface({ input: terminal.input })
    const reading = lines[Symbol.asyncIterator]()
    let last: ExitCode = exitCodes.ok
    for (;;) {
      const { value: line, done } = await Promise.race([gone, reading.next()])
      if (done || line === 'exit' || line === 'quit') return terminal.isInteractive ? exitCodes.ok : last
      const exit = await interruptible((stop) => runLine(line, { ...context, signal: AbortSignal.any([stop, signal]) }))
      signal.throwIfAborted()
      if (exit !== exitCodes.ok) last = exit
    }
  },
})

/** Lines typed by the person, until the input is closed. */
async function* typedLines(name: string, context: CommandContext & LineContext): AsyncGenerator<string> {
  const { lineCandidates } = await import('../manual/line-candidates.ts')
  const questions = new TerminalQuestions(context.terminal, context.output, context.signal)
  const history: string[] = []
  const complete = (line: string) => lineCandidates(line, context)
  for (;;) {
    const line = await questions.line(`${name}>`, { history, complete })
    if (line === undefined) return
    if (line !== '') history.unshift(line)
    history.length = Math.min(history.length, maxHistory)
    yield line
  }
}

/** Lines kept in the history. */
const maxHistory = 100

/** Runs one line; what goes wrong is said, and the next line is waited for. */
async function runLine(line: string, context: CommandContext & { readonly client: Client }): Promise<ExitCode> {
  const words = splitLine(line).filter((word) => word !== '')
  const [first = ''] = words
  if (first === '' || first.startsWith('#')) return exitCodes.ok
  try {
    const command = Object.hasOwn(context.commands, first) ? await context.commands[first]?.() : undefined
    // a tool may be called what a command is called that has nothing to do with this server
    const isCommand = command?.group === 'servers' || command?.group === 'own'
    if (isCommand) return await runCommand(words, context)
    const tools = (await context.client.tools.list().all()).map(({ name }) => name)
    if (tools.includes(first)) return await runCommand(['call', ...words], context)
    if (command) return await runCommand(words, context)
    throw await unknownWord(first, [...tools, ...Object.keys(context.commands)])
  } catch (error) {
    const failure = describeError(error)
    context.output.failure(failure)
    return failure.exit
  }
}

async function unknownWord(word: string, names: readonly string[]): Promise<Failure> {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(word, names)
  const guess = near === undefined ? '' : `; did you mean "${near}"?`
  const hint = '"help" lists the commands, "tools" the tools'
  return usageFailure(`Cannot run "${word}": there is no such command or tool${guess}`, hint)
}
