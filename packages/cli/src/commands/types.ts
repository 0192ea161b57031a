import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'

/** `trunkline types`: the tools of a server as types of TypeScript. */
export const typesCommand = defineCommand({
  name: 'types',
  group: 'authors',
  summary: 'Writes types of TypeScript for the tools and prompts of a server',
  usage: ['SERVER', '-- PROGRAM [ARGUMENT…]'],
  details: [
    'The type is for connect of @trunkline/mcp: connect<{ offers: Shop }>(…) knows every tool, its arguments and its structured result. Names and order do not depend on how the server lists them. With --check nothing is written, and it ends with 2 when the file is not what the server says.',
  ],
  options: {
    output: { type: 'string', short: 'o', value: 'FILE', summary: 'Write there instead of stdout' },
    check: { type: 'boolean', summary: 'Fail if the file of --output is not what would be written' },
    name: { type: 'string', value: 'NAME', summary: 'Call the type so; by default after the server' },
    ...serverOptions,
  },
  examples: [
    { line: 'trunkline types -o shop.ts -- node server.js', shows: 'types in a file' },
    { line: 'trunkline types --check -o shop.ts -- node server.js', shows: 'whether they are still true, for CI' },
  ],
  async run(invocation) {
    const { options, output, signal } = invocation
    if (options.check && options.output === undefined) throw usageFailure('Cannot --check without --output FILE')
    const { serverTypesModule, typeNameOf } = await import('../types/server-types.ts')
    const name = options.name ?? ''
    if (name !== '' && !/^[A-Za-z_$][\w$]*$/.test(name))
      throw usageFailure(`Cannot call a type "${name}": it is no name`)
    await using server = await openServer(invocation)
    const { client } = server
    const { capabilities } = client
    const tools = capabilities.tools ? await client.tools.list({ signal }).all() : []
    const prompts = capabilities.prompts ? await client.prompts.list({ signal }).all() : []
    const text = serverTypesModule(
      { server: client.server, tools, prompts },
      name || typeNameOf(client.server?.name ?? ''),
    )
    if (options.output === undefined) output.result({ module: text }, () => text.trimEnd().split('\n'))
    else if (!options.check) await writeFile(options.output, text)
    else if (!existsSync(options.output) || (await readFile(options.output, 'utf8')) !== text)
      throw new Failure(`"${options.output}" is not what the server says`, {
        code: 'Changed',
        exit: exitCodes.toolError,
        hint: 'Run it without --check to write it anew',
      })
    return undefined
  },
})
