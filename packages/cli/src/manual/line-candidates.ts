import type { Client } from '@trunkline/mcp/client'
import type { Registry } from '../command/command.ts'
import { splitLine } from '../command/split-line.ts'
import { candidatesFor } from './candidates.ts'
import type { Completing } from './completing.ts'

/** Context for completing a line on one connection. */
export interface LineContext {
  readonly commands: Registry
  readonly client: Client
}

/** Candidates for the end of a line on one connection, and the part of them that is already typed. */
export async function lineCandidates(line: string, { commands, client }: LineContext): Promise<[string[], string]> {
  const words = splitLine(line)
  const current = words.at(-1) ?? ''
  // within quotes the line and what it means are not the same
  if (!line.endsWith(current)) return [[], line]
  const completing: Completing = {
    commands,
    servers: async () => [],
    clients: async () => [],
    skills: async () => [],
    skillFiles: async () => [],
    connect: async () => ({ client, async [Symbol.asyncDispose]() {} }),
  }
  const ofServers = await commandsOfServers(commands)
  const [first = '', ...rest] = words
  const isFirst = rest.length === 0
  // the first word is a tool or one of these commands
  const asked = isFirst ? ['call', 'here', current] : [...asTyped(first, ofServers), ...rest]
  const own = isFirst ? [...ofServers, 'help', 'exit'].filter((name) => name.startsWith(current)) : []
  const found = [...(await candidatesFor(['', ...asked], completing)).map(({ text }) => text), ...own]
  const [only] = found
  return [found.length === 1 && only !== undefined && !only.endsWith('=') ? [`${only} `] : found, current]
}

/** The words of a whole command line: the server is named, and a tool is called. */
function asTyped(first: string, ofServers: readonly string[]): readonly string[] {
  return ofServers.includes(first) ? [first, 'here'] : ['call', 'here', first]
}

async function commandsOfServers(commands: Registry): Promise<readonly string[]> {
  const all = await Promise.all(Object.values(commands).map((load) => load()))
  return all.filter(({ group, takesRest }) => group === 'servers' && !takesRest).map(({ name }) => name)
}
