import type { Change, Client, Interest } from '@trunkline/mcp/client'
import { type CommandContext, defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { styled } from '../output/span.ts'

/** `trunkline watch`: tells of changes while it runs. */
export const watchCommand = defineCommand({
  name: 'watch',
  group: 'servers',
  needs: 'nothing',
  summary: 'Reports changes of lists, and of the resources that you name',
  usage: ['SERVER [URI…]', '[URI…] -- PROGRAM [ARGUMENT…]'],
  details: ['It runs until you stop it, until the connection is lost, or until --count changes were reported.'],
  options: {
    count: { type: 'string', short: 'n', value: 'NUMBER', summary: 'End after this many changes' },
    ...serverOptions,
  },
  json: 'one line per change: `{ kind: "resource", uri }` or `{ kind: "tools" }`, prompts or resources',
  examples: [
    { line: 'trunkline watch -- node server.js', shows: 'changes of the lists of tools, prompts and resources' },
    { line: 'trunkline watch -n 1 https://example.com/mcp file:///notes.txt', shows: 'the next change of a resource' },
  ],
  async run(invocation) {
    const { options } = invocation
    const count = countOf(options.count)
    await using server = await openServer(invocation)
    const { client, words: uris } = server
    const { tools, prompts, resources } = client.capabilities
    const interest: Interest = {
      ...(tools?.listChanged && { tools: true }),
      ...(prompts?.listChanged && { prompts: true }),
      ...(resources?.listChanged && { resources: true }),
      ...(uris.length > 0 && { uris }),
    }
    if (Object.keys(interest).length === 0)
      throw usageFailure('Cannot watch: the server tells of no changes of lists; name a URI')
    const gone = client.whenClosed.then((reason) => {
      throw reason ?? new Failure('The server closed the connection', { code: 'Closed', exit: exitCodes.unreachable })
    })
    await Promise.race([gone, changes(client, { interest, count, invocation })])
    return undefined
  },
})

interface Changes {
  readonly interest: Interest
  readonly count: number
  readonly invocation: CommandContext
}

/** Prints changes until the count is reached or the command is stopped. */
function changes(client: Client, { interest, count, invocation: { output, signal } }: Changes): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = 0
    const onChange = (change: Change): void => {
      if (seen++ >= count) return
      output.event(change, () => [styled('faint', `${new Date().toISOString()} `), described(change)])
      if (seen >= count) resolve()
    }
    signal.addEventListener('abort', () => reject(signal.reason))
    output.endsWhenStopped('Stopped')
    client.watch(interest, onChange).then(() => output.note(styled('faint', 'Watching; Ctrl-C stops')), reject)
  })
}

function countOf(written: string | undefined): number {
  if (written === undefined) return Number.POSITIVE_INFINITY
  const count = Number(written)
  if (Number.isSafeInteger(count) && count >= 1) return count
  throw usageFailure(`Cannot use "--count=${written}": it takes a whole number, 1 or more`)
}

function described(change: Change): string {
  return change.kind === 'resource' ? `${change.uri} changed` : `the list of ${change.kind} changed`
}
