import type { Tool } from '@trunkline/mcp/client'
import { describeArguments } from '../arguments/describe-arguments.ts'
import { findTool } from '../arguments/find-tool.ts'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { repeatedName, repeatedSentence } from '../diagnosis/schema-problems.ts'
import { firstLine } from '../output/first-line.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline tools`: what a server can do, or how one tool is called. */
export const toolsCommand = defineCommand({
  name: 'tools',
  group: 'servers',
  needs: 'nothing',
  summary: 'Lists the tools of a server, or shows the arguments of one',
  usage: ['SERVER [TOOL]', '[TOOL] -- PROGRAM [ARGUMENT…]'],
  options: serverOptions,
  json: '`{ tools: […] }`, or one tool, as the server sent them',
  examples: [
    { line: 'trunkline tools https://example.com/mcp', shows: 'the tools of a server at a URL' },
    { line: 'trunkline tools -- node server.js', shows: 'the tools of a program' },
    { line: 'trunkline tools search -- node server.js', shows: 'the arguments of one of them' },
    { line: 'trunkline tools --json -- node server.js', shows: 'the same for scripts: { "tools": […] }' },
  ],
  async run(invocation) {
    const { output, signal } = invocation
    await using server = await openServer(invocation)
    const [name] = server.words
    if (name !== undefined) {
      const tool = await findTool(server.client, name, signal)
      output.result(tool, () => toolLines(tool, output.width))
      return undefined
    }
    const tools = await server.client.tools.list({ signal }).all()
    output.result({ tools }, () => listLines(tools, output.width))
    const twice = repeatedName(tools)
    if (twice !== undefined) output.warn(repeatedSentence(twice))
    return undefined
  },
})

function listLines(tools: readonly Tool[], width: number): readonly Line[] {
  if (tools.length === 0) return ['The server has no tools']
  const columns = [{ title: 'tool', style: 'name' }, { title: 'arguments' }, { title: 'what it does' }] as const
  const rows = tools.map((tool) => [tool.name, argumentNames(tool), firstLine(tool.description ?? tool.title ?? '')])
  return tableLines(columns, rows, width)
}

/** A line that names more optional ones is no line of a table any more. */
const maxOptional = 6

function argumentNames({ inputSchema }: Tool): string {
  let optional = 0
  const names = describeArguments(inputSchema).flatMap(({ name, isRequired }) => {
    if (isRequired) return [name]
    optional += 1
    return optional <= maxOptional ? [`[${name}]`] : []
  })
  return [...names, ...(optional > maxOptional ? [`[${optional - maxOptional} more]`] : [])].join(' ')
}

function toolLines(tool: Tool, width: number): readonly Line[] {
  const { name, title, description, inputSchema, annotations = {} } = tool
  const rows = describeArguments(inputSchema).map((argument) => [
    argument.name,
    argument.type,
    argument.isRequired ? 'required' : '',
    argument.description,
  ])
  const columns = [
    { title: 'argument', style: 'name' },
    { title: 'type' },
    { title: '' },
    { title: 'what it is', wraps: true },
  ] as const
  const hints = Object.entries(annotations).filter(([, value]) => value === true)
  return [
    styled('strong', title === undefined ? name : `${name} (${title})`),
    ...(description === undefined ? [] : description.trimEnd().split('\n')),
    ...(hints.length > 0 ? [styled('faint', `The server says: ${hints.map(([hint]) => hint).join(', ')}`)] : []),
    '',
    ...(rows.length > 0 ? tableLines(columns, rows, width) : ['It takes no arguments']),
  ]
}
