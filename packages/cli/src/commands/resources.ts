import type { Resource, ResourceTemplate } from '@trunkline/mcp/client'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { firstLine } from '../output/first-line.ts'
import type { Line } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline resources`: what can be read, and the templates of what can be. */
export const resourcesCommand = defineCommand({
  name: 'resources',
  group: 'servers',
  needs: 'nothing',
  summary: 'Lists the resources and resource templates of a server',
  usage: ['SERVER', '-- PROGRAM [ARGUMENT…]'],
  options: serverOptions,
  json: '`{ resources: […], resourceTemplates: […] }`',
  examples: [
    { line: 'trunkline resources https://example.com/mcp', shows: 'what can be read' },
    { line: 'trunkline resources --json -- node server.js', shows: '{ "resources": […], "resourceTemplates": […] }' },
  ],
  async run(invocation) {
    const { output, signal } = invocation
    await using server = await openServer(invocation)
    const { client } = server
    const hasSome = client.capabilities.resources !== undefined
    const resources = hasSome ? await client.resources.list({ signal }).all() : []
    const resourceTemplates = hasSome ? await client.resources.templates({ signal }).all() : []
    const rows = [...resources.map(resourceRow), ...resourceTemplates.map(templateRow)]
    output.result({ resources, resourceTemplates }, () => resourceLines(rows, output.width))
    return undefined
  },
})

type Row = readonly [address: string, type: string, about: string]

function resourceRow({ uri, mimeType = '', title, name, description = '' }: Resource): Row {
  return [uri, mimeType, firstLine(description) || (title ?? name)]
}

function templateRow({ uriTemplate, mimeType = '', title, name, description = '' }: ResourceTemplate): Row {
  return [uriTemplate, mimeType, firstLine(description) || (title ?? name)]
}

function resourceLines(rows: readonly Row[], width: number): readonly Line[] {
  if (rows.length === 0) return ['The server has no resources']
  return tableLines([{ title: 'address', style: 'name' }, { title: 'type' }, { title: 'what it is' }], rows, width)
}
