import type { Prompt } from '@trunkline/mcp/client'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { firstLine } from '../output/first-line.ts'
import type { Line } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline prompts`: the prompts of a server. */
export const promptsCommand = defineCommand({
  name: 'prompts',
  group: 'servers',
  needs: 'nothing',
  summary: 'Lists the prompts of a server',
  usage: ['SERVER', '-- PROGRAM [ARGUMENT…]'],
  options: serverOptions,
  json: '`{ prompts: […] }`',
  examples: [{ line: 'trunkline prompts -- node server.js', shows: 'the prompts of a program' }],
  async run(invocation) {
    const { output, signal } = invocation
    await using server = await openServer(invocation)
    const hasSome = server.client.capabilities.prompts !== undefined
    const prompts = hasSome ? await server.client.prompts.list({ signal }).all() : []
    output.result({ prompts }, () => promptLines(prompts, output.width))
    return undefined
  },
})

function promptLines(prompts: readonly Prompt[], width: number): readonly Line[] {
  if (prompts.length === 0) return ['The server has no prompts']
  const rows = prompts.map(({ name, title, description, arguments: parts = [] }) => {
    const names = parts.map((part) => (part.required ? part.name : `[${part.name}]`))
    return [name, names.join(' '), firstLine(description ?? title ?? '')]
  })
  return tableLines([{ title: 'prompt', style: 'name' }, { title: 'arguments' }, { title: 'what it is' }], rows, width)
}
