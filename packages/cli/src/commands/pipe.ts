import type { CallToolResult, Client, Fields, Progress } from '@trunkline/mcp/client'
import { McpError } from '@trunkline/mcp/client'
import { defineCommand, type Invocation } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import type { Output } from '../output/output.ts'
import { openSession } from '../session/session.ts'

const options = {
  'dry-run': { type: 'boolean', summary: 'Check the plan and show what it would call; nothing is called' },
  report: { type: 'boolean', summary: 'Show what the run with this ID did, or the last run' },
  answer: {
    type: 'string',
    value: 'NAME=VALUE',
    multiple: true,
    summary: 'Fill in this field when a server asks for a form',
  },
  'no-input': { type: 'boolean', summary: 'Never ask for input, even in a terminal' },
} as const

type PipeInvocation = Invocation<typeof options>

/** `trunkline pipe`: several calls in one go, by a plan. */
export const pipeCommand = defineCommand({
  name: 'pipe',
  group: 'host',
  needs: 'nothing',
  summary: 'Runs a plan of calls in the host: the result of one call goes into the next',
  usage: ['FILE', '--report [ID]'],
  details: [
    'The file is YAML or JSON; - reads stdin. It has the form { "steps": […], "output": VALUE }. Each step has an "id" and one of "call", "filter", "map", "parallel" and "steps"; { "$from": "/id/member" } stands for a part of an earlier result. The whole plan is checked against the schemas of the tools before the first call.',
    'Each call is subject to your policy, like any other call of this command. A denied call stops the plan. Intermediate results stay in the host. If the host stops while a plan runs, the plan is not resumed: --report shows what was done.',
  ],
  options,
  json: '`{ state, output, stopped, … }`, the report of the run',
  examples: [
    { line: 'trunkline pipe notes.yaml', shows: 'its output' },
    { line: 'trunkline pipe notes.yaml --dry-run', shows: 'what it would call' },
    { line: 'trunkline pipe --report', shows: 'what the last run did' },
  ],
  async run(invocation) {
    const { words, options: given, output } = invocation
    const [word] = words
    if (given.report !== true && word === undefined) throw usageFailure('Cannot run a plan: no file is named')
    const args = given.report === true ? { report: word ?? 'last' } : await planArguments(invocation, word ?? '-')
    await using host = await openEndpoint(invocation)
    const result = await callPipe(host.client, args, invocation)
    const { pipeFailure, pipeLines, toldBy } = await import('../host/pipe-outcome.ts')
    const failure = pipeFailure(result)
    // the error lists the problems of a bad plan
    if (failure?.code !== 'BadPlan') output.result(toldBy(result), () => pipeLines(result))
    // a report of a run that was stopped is no failure
    if (failure && result.isError === true) throw failure
    return undefined
  },
})

async function planArguments({ options: given, terminal }: PipeInvocation, path: string): Promise<Fields> {
  const { readPlan } = await import('@trunkline/authoring/plan')
  const plan = await readPlan(path, terminal.input)
  return { plan, ...(given['dry-run'] && { check: true }) }
}

/** The endpoint of the host, where all its tools are. */
async function openEndpoint(invocation: PipeInvocation) {
  const [{ openHost }, { hostTarget }, { answersOf }] = await Promise.all([
    import('../host/host-link.ts'),
    import('../host/configured-target.ts'),
    import('../asking/answers.ts'),
  ])
  const { output, signal } = invocation
  const { running } = await openHost()
  const client = await openSession({
    target: await hostTarget(running, '/mcp'),
    signal,
    onWarning: (message) => output.warn(message),
    client: answersOf({ ...invocation, given: invocation.options.answer }),
  })
  return { client, [Symbol.asyncDispose]: () => client.close() }
}

async function callPipe(client: Client, args: Fields, { output, signal }: PipeInvocation): Promise<CallToolResult> {
  const endless = Number.POSITIVE_INFINITY
  const onProgress = ({ message = '' }: Progress): void => tell(message, output)
  try {
    // the host limits how long a plan may take
    return await client.tools.call('pipe', args, { signal, onProgress, timeoutMs: endless, maxTotalMs: endless })
  } catch (error) {
    if (!(error instanceof McpError) || signal.aborted) throw error
    throw new Failure(`The host went away while the plan ran: ${error.message}`, {
      code: 'Unknown',
      exit: exitCodes.unreachable,
      hint: 'When it runs again, this tells what was done: trunkline pipe --report',
    })
  }
}

function tell(message: string, output: Output): void {
  if (message.startsWith('step ')) output.note(message)
  else output.progress(message)
}
