import type { Client, Tool } from '@trunkline/mcp/client'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'

/** Finds a tool by its name; one of a near name is suggested and never taken for it. */
export async function findTool(client: Client, name: string, signal: AbortSignal): Promise<Tool> {
  const names: string[] = []
  for await (const tool of client.tools.list({ signal })) {
    if (tool.name === name) return tool
    names.push(tool.name)
  }
  throw await noSuch('tool', name, names)
}

/** Failure for a name that a server does not have, with the nearest one. */
export async function noSuch(kind: string, name: string, names: readonly string[]): Promise<Failure> {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(name, names) ?? onlyWith(name, names)
  const some = names.slice(0, 20).join(', ')
  const has = names.length === 0 ? `the server has none` : `the server has ${some}${names.length > 20 ? ', …' : ''}`
  const guess = near === undefined ? has : `did you mean "${near}"?`
  return new Failure(`Cannot find ${kind} "${name}": ${guess}`, { code: 'Unknown', exit: exitCodes.usage })
}

/** The shortest name that begins with what was written, else the only one that has it in it. */
function onlyWith(written: string, names: readonly string[]): string | undefined {
  if (written.length < 3) return undefined
  const [shortest] = names.filter((name) => name.startsWith(written)).sort((one, other) => one.length - other.length)
  const having = names.filter((name) => name.includes(written))
  return shortest ?? (having.length === 1 ? having[0] : undefined)
}
