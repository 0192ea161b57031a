import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { readByHost } from '../host/settled-servers.ts'
import { serverAddress } from '../session/target.ts'

/** `trunkline add`: configures a server. */
export const addCommand = defineCommand({
  name: 'add',
  group: 'host',
  needs: 'person',
  summary: 'Adds a server to your configuration; it starts after you accept it',
  usage: ['NAME URL', 'NAME -- PROGRAM [ARGUMENT…]'],
  options: {
    env: { type: 'string', short: 'e', value: 'NAME=VALUE', multiple: true, summary: 'A variable for the program' },
    header: {
      type: 'string',
      short: 'H',
      value: 'NAME:VALUE',
      multiple: true,
      summary: 'A header for the server at the URL',
    },
    revision: { type: 'string', value: 'DATE', summary: 'The only revision of the protocol to speak with it' },
  },
  json: '`{ added, file, entry }`',
  examples: [
    { line: 'trunkline add notes -- npx -y @acme/notes-server', shows: 'a program' },
    { line: 'trunkline add docs https://example.com/mcp', shows: 'a server at a URL' },
  ],
  async run({ options, output, words, program }) {
    const { Config, editConfigFile, findPlaces, isServerName, serverRevisions, slugOf, thisMachine } = await import(
      '@trunkline/host/config'
    )
    const [name, url] = words
    if (name === undefined || (url === undefined) === (program === undefined)) {
      throw usageFailure('Cannot add a server: write a name, and an address or a program', 'trunkline add --help')
    }
    if (!isServerName(name)) throw usageFailure(`Cannot name a server "${name}"`, `It could be "${slugOf(name)}"`)
    const { env = [], header = [], revision } = options
    if (revision !== undefined && !serverRevisions.includes(revision)) {
      throw usageFailure(
        `Cannot speak revision "${revision}": there is no such revision`,
        `Write one of ${serverRevisions.join(', ')}`,
      )
    }
    if (url !== undefined && (await serverAddress(url, ['https', 'http'])) === undefined) {
      throw usageFailure(
        `Cannot add "${name}": "${url}" is no address of a server`,
        `Write https://… or http://…, or a program: trunkline add ${name} -- ${url}`,
      )
    }
    const [command = '', ...args] = program ?? []
    const entry = {
      ...(url === undefined
        ? { command, args, ...(env.length > 0 && { env: pairs(env, '=', '--env') }) }
        : { url, ...(header.length > 0 && { headers: pairs(header, ':', '--header') }) }),
      ...(revision !== undefined && { revision }),
    }
    const machine = thisMachine()
    const places = findPlaces(machine)
    const { userFile } = places
    using config = new Config({ places, machine, isAccepted: () => false })
    if ((await config.effective()).servers.some((server) => server.name === name)) {
      throw usageFailure(
        `Cannot add "${name}": it is configured already`,
        `Take it out first: trunkline remove ${name}`,
      )
    }
    await editConfigFile(userFile, [{ path: ['mcpServers', name], value: entry }])
    await readByHost((servers) => servers.some((server) => server.name === name))
    output.result({ added: name, file: userFile, entry }, () => [
      `"${name}" is in ${userFile}`,
      `Let it start: trunkline accept ${name}`,
    ])
    return undefined
  },
})

function pairs(written: readonly string[], separator: string, option: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    written.map((text) => {
      const at = text.indexOf(separator)
      if (at < 1) throw usageFailure(`Cannot use "${option}=${text}": write it as NAME${separator}VALUE`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}
