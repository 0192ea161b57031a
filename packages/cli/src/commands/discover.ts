import type { Client } from '@trunkline/mcp/client'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline discover`: who a server says it is, and what it offers. */
export const discoverCommand = defineCommand({
  name: 'discover',
  group: 'servers',
  needs: 'nothing',
  summary: 'Shows the name, revision, capabilities and instructions of a server',
  usage: ['SERVER', '-- PROGRAM [ARGUMENT…]'],
  options: serverOptions,
  json: '`{ protocolVersion, serverInfo, capabilities, instructions }`',
  examples: [{ line: 'trunkline discover -- node server.js', shows: 'name, revision, capabilities, instructions' }],
  async run(invocation) {
    await using server = await openServer(invocation)
    const { revision, server: serverInfo, capabilities, instructions } = server.client
    invocation.output.result({ protocolVersion: revision, serverInfo, capabilities, instructions }, () =>
      aboutLines(server.client),
    )
    return undefined
  },
})

function aboutLines({ revision, server, capabilities, instructions }: Client): readonly Line[] {
  const offered = Object.entries(capabilities).map(([name, details]) => [name, Object.keys(details ?? {}).join(' ')])
  return [
    [styled('strong', server?.title ?? server?.name ?? '(no name)'), ` ${server?.version ?? ''}`],
    `speaks ${revision}`,
    ...(server?.description ? [server.description] : []),
    ...(offered.length > 0
      ? ['', ...tableLines([{ title: 'offers', style: 'name' }, { title: 'with' }], offered)]
      : []),
    ...(instructions ? ['', styled('strong', 'How to use it'), ...instructions.trimEnd().split('\n')] : []),
  ]
}
