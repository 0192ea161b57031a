import type { Client, ClientExtension, Fields, Progress, Tool, ToolTypes } from '@trunkline/mcp/client'
import type { TaskTools } from '@trunkline/mcp/tasks'
import { readArgumentWords } from '../arguments/argument-words.ts'
import { badArguments, findArgumentProblems, withShape } from '../arguments/check-arguments.ts'
import { collectArguments } from '../arguments/collect-arguments.ts'
import { findTool } from '../arguments/find-tool.ts'
import { askMissing } from '../asking/missing-arguments.ts'
import { type CommandContext, defineCommand, type Invocation } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { resultLines } from '../output/content.ts'
import { progressLine } from '../output/progress-line.ts'
import { TerminalQuestions } from '../terminal/questions.ts'

/** `trunkline call`: calls a tool. */
export const callCommand = defineCommand({
  name: 'call',
  group: 'servers',
  needs: 'nothing',
  summary: 'Calls a tool',
  usage: ['SERVER TOOL [NAME=VALUE…]', 'TOOL [NAME=VALUE…] -- PROGRAM [ARGUMENT…]'],
  details: [
    'Arguments are converted to the types in the schema of the tool, and checked before anything is sent. NAME=VALUE is read as the schema says. NAME:=JSON is always read as JSON. A.B=VALUE sets a member of A. Repeating a name adds to a list. @FILE reads all arguments from a JSON file, and - from stdin.',
  ],
  options: {
    unchecked: { type: 'boolean', summary: 'Send the arguments without checking them' },
    start: { type: 'boolean', summary: 'Start a task and print its id instead of waiting for the result' },
    ...serverOptions,
  },
  json: 'the result of tools/call: `{ content, structuredContent, isError }`',
  examples: [
    { line: 'trunkline call https://example.com/mcp search query="red shoes" limit=5', shows: 'two arguments' },
    { line: 'trunkline call search query=shoes -- node server.js', shows: 'a tool of a program' },
    { line: 'trunkline call save @note.json -- node server.js', shows: 'all arguments from a file' },
    { line: 'echo \'{"a": 1}\' | trunkline call add --json - -- node server.js', shows: 'JSON in, JSON out' },
  ],
  async run(invocation) {
    const { options, output, signal, terminal } = invocation
    const { tasks } = await import('@trunkline/mcp/tasks')
    await using server = await openServer(invocation, { extensions: [tasks() as ClientExtension] })
    const [name, ...rest] = server.words
    if (name === undefined) throw usageFailure('Cannot call a tool: none is named', 'trunkline tools lists them')
    const tool = await findTool(server.client, name, signal)
    const words = await readArgumentWords(rest, terminal.input).catch((error) => Promise.reject(withShape(error, tool)))
    const typed = collectArguments(words, tool.inputSchema)
    const input = options.unchecked ? typed : await checkedArguments(tool, typed, invocation)
    if (options.start) return await startTask(server.client, { name, input, invocation })
    const onProgress = (progress: Progress): void => output.progress(progressLine(name, progress))
    const call = () => server.client.tools.call(name, input, { signal, onProgress })
    const result = await throughHost(invocation, name, call)
    output.result(result, () => resultLines(result))
    if (result.isError !== true) return undefined
    const refused = result._meta?.['dev.trunkline/refused']
    if (typeof refused === 'string' && notDecided.has(refused))
      throw new Failure(`"${name}" was not run: ${refused}`, { code: 'Denied', exit: exitCodes.denied })
    throw new Failure(`Tool "${name}" says that it failed`, { code: 'ToolError', exit: exitCodes.toolError })
  },
})

/** The host's error codes for a call that a person or a rule did not allow. */
const notDecided = new Set(['denied', 'refused', 'waiting', 'expired', 'withdrawn'])

/** A server of the host may want a decision first; it is asked for where the call is made. */
async function throughHost<Result>(invocation: Invocation, tool: string, call: () => Promise<Result>): Promise<Result> {
  const { askInPlace, configuredServer } = await import('../host/ask-in-place.ts')
  const server = configuredServer(invocation)
  return server === undefined ? call() : askInPlace({ server, tool }, invocation, call)
}

interface Start {
  readonly name: string
  readonly input: Fields
  readonly invocation: CommandContext
}

async function startTask(client: Client, { name, input, invocation: { output, signal } }: Start): Promise<undefined> {
  const task = await (client.tools as unknown as TaskTools<ToolTypes>).start(name, input, { signal })
  const { id } = task
  task.detach()
  if (id === undefined)
    throw new Failure(`Cannot start "${name}" as a task: the server keeps none, so it would end with this command`, {
      code: 'Unsupported',
      exit: exitCodes.protocolError,
    })
  output.result(task.state, () => [id])
  return undefined
}

async function checkedArguments(
  tool: Tool,
  typed: Fields,
  { output, terminal, signal }: CommandContext,
): Promise<Fields> {
  const questions = terminal.isInteractive ? new TerminalQuestions(terminal, output, signal) : undefined
  const input = questions ? await askMissing(questions, tool.inputSchema, typed) : typed
  const { problems, unchecked } = findArgumentProblems(tool, input)
  if (problems.length > 0) throw badArguments(tool, problems)
  if (unchecked !== undefined) output.warn(`The arguments are not checked: ${unchecked}`)
  return input
}
