import { readArgumentWords } from '../arguments/argument-words.ts'
import { collectArguments } from '../arguments/collect-arguments.ts'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { usageFailure } from '../failure/failure.ts'
import { visibleJson } from '../output/json.ts'

/** `trunkline raw`: any request of the protocol. */
export const rawCommand = defineCommand({
  name: 'raw',
  group: 'servers',
  needs: 'nothing',
  summary: 'Sends any request of the protocol, and shows the result unchanged',
  usage: ['SERVER METHOD [NAME=VALUE…]', 'METHOD [NAME=VALUE…] -- PROGRAM [ARGUMENT…]'],
  details: [
    'Params are written like the arguments of "call". There is no schema for them, so VALUE is read as JSON if possible, else as text.',
  ],
  options: serverOptions,
  json: 'the result as the server sent it',
  examples: [
    { line: 'trunkline raw tools/list -- node server.js', shows: 'one page of a list' },
    { line: 'trunkline raw tools/call \'{"name": "add", "arguments": {"a": 1}}\' -- node server.js', shows: 'a call' },
  ],
  async run(invocation) {
    const { output, signal, terminal } = invocation
    await using server = await openServer(invocation)
    const [method, ...rest] = server.words
    if (method === undefined) throw usageFailure('Cannot make a request: no method is named')
    const params = collectArguments(await readArgumentWords(rest, terminal.input), {})
    const result = await server.client.request(method, params, { signal })
    output.result(result, () => visibleJson(result, 2).split('\n'))
    return undefined
  },
})
