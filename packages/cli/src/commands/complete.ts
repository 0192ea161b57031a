import type { CompletionTarget } from '@trunkline/mcp/client'
import { argumentOf } from '../arguments/argument-words.ts'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { usageFailure } from '../failure/failure.ts'

/** `trunkline complete`: what a server suggests for an argument. */
export const completeCommand = defineCommand({
  name: 'complete',
  group: 'servers',
  needs: 'nothing',
  summary: 'Asks a server to complete an argument of a prompt or a template',
  usage: [
    'SERVER PROMPT|TEMPLATE ARGUMENT [VALUE] [NAME=VALUE…]',
    'PROMPT|TEMPLATE ARGUMENT [VALUE] [NAME=VALUE…] -- PROGRAM [ARGUMENT…]',
  ],
  details: ['A name with "{" in it is a template. Arguments that are already known follow as NAME=VALUE.'],
  options: serverOptions,
  json: 'the result of completion/complete: `{ completion: { values, … } }`',
  examples: [
    { line: 'trunkline complete poem topic sh -- node server.js', shows: 'completions of "sh"' },
    { line: "trunkline complete 'shop:item/{id}' id -- node server.js", shows: 'the values of a template' },
  ],
  async run(invocation) {
    const { output } = invocation
    await using server = await openServer(invocation)
    const [name, argument, ...rest] = server.words
    if (name === undefined || argument === undefined)
      throw usageFailure('Cannot complete: name a prompt or a template, and one of its arguments')
    const value = rest[0]?.includes('=') ? '' : (rest[0] ?? '')
    const others = Object.fromEntries(
      rest.filter((word) => word.includes('=')).map((word) => [argumentOf(word).name, argumentOf(word).text]),
    )
    const target: CompletionTarget = name.includes('{') ? { template: name, argument } : { prompt: name, argument }
    const completion = await server.client.complete(target, value, others)
    output.result({ completion }, () => completion.values)
    return undefined
  },
})
