import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import type { Offered } from '../types/server-types.ts'

/** `trunkline types`: the tools of a server as types of TypeScript. */
export const typesCommand = defineCommand({
  name: 'types',
  group: 'authors',
  needs: 'nothing',
  summary: 'Writes TypeScript types for a server, or for everything the host offers',
  usage: ['', 'SERVER', '-- PROGRAM [ARGUMENT…]'],
  details: [
    'Without a server, the types cover the whole catalogue: everything the host offers at its address, under those names, whether the servers run or not.',
    'Use the type with connect of @trunkline/mcp: connect<{ offers: Shop }>(…) knows every tool, its arguments and its structured result. Names and order do not depend on the order in which the server lists them. With --check nothing is written, and the exit code is 2 when the file is not up to date.',
  ],
  options: {
    output: { type: 'string', short: 'o', value: 'FILE', summary: 'Write to this file instead of stdout' },
    check: { type: 'boolean', summary: 'Fail if the file of --output is not up to date' },
    name: { type: 'string', value: 'NAME', summary: 'The name of the type; by default that of the server' },
    ...serverOptions,
  },
  json: '`{ module }`, unless it is written to a file',
  examples: [
    { line: 'trunkline types -o catalogue.ts', shows: 'types of the whole catalogue in a file' },
    { line: 'trunkline types -o shop.ts -- node server.js', shows: 'types in a file' },
    { line: 'trunkline types --check -o shop.ts -- node server.js', shows: 'fails in CI when they are not up to date' },
  ],
  async run(invocation) {
    const { options, output } = invocation
    if (options.check && options.output === undefined) throw usageFailure('Cannot --check without --output FILE')
    const { serverTypesModule, typeNameOf } = await import('../types/server-types.ts')
    const name = options.name ?? ''
    if (name !== '' && !/^[A-Za-z_$][\w$]*$/.test(name))
      throw usageFailure(`Cannot call a type "${name}": it is no name`)
    const offered = isWholeCatalogue(invocation) ? await offeredByHost() : await offeredByServer(invocation)
    const text = serverTypesModule(offered, name || typeNameOf(offered.server?.name ?? ''))
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

type TypesInvocation = Parameters<typeof openServer>[0]

function isWholeCatalogue({ words, program, client }: TypesInvocation): boolean {
  return words.length === 0 && program === undefined && client === undefined
}

async function offeredByServer(invocation: TypesInvocation): Promise<Offered> {
  const { signal } = invocation
  await using server = await openServer(invocation)
  const { client } = server
  const { capabilities } = client
  const tools = capabilities.tools ? await client.tools.list({ signal }).all() : []
  const prompts = capabilities.prompts ? await client.prompts.list({ signal }).all() : []
  return { server: client.server, tools, prompts }
}

/** Accepted offers that are not hidden, from the store: the same whichever servers run. */
async function offeredByHost(): Promise<Offered> {
  const { call } = await openHost()
  const { items } = await call('catalogue')
  const usable = items.filter(({ standing }) => standing === 'usable' || standing === 'changed')
  const named = (kind: string) =>
    usable.filter((entry) => entry.kind === kind).map(({ definition, name }) => ({ ...definition, name }))
  return {
    server: { name: 'catalogue', version: '' },
    tools: named('tool') as unknown as Offered['tools'],
    prompts: named('prompt') as unknown as Offered['prompts'],
  }
}
