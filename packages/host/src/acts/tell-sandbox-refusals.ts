import type { Fields } from '@trunkline/mcp'
import type { ServerName } from '../act/server-name.ts'
import { isNamed, named, type Refusals, refusalsIn } from '../servers/sandbox/refusals.ts'

/** Servers write why a call failed before or after their answer, on another stream. */
const stderrMs = 100

/** Adds to a failed result the refusals of its server's sandbox while it ran. */
export async function tellSandboxRefusals(
  server: ServerName,
  refusals: Refusals,
  run: () => Promise<Fields>,
): Promise<Fields> {
  const { count } = refusals
  const result = await run()
  if (result.isError !== true) return result
  const blocks = Array.isArray(result.content) ? (result.content as readonly Fields[]) : []
  const told = blocks.flatMap(({ text }) => (typeof text === 'string' ? refusalsIn(text) : []))
  if (!told.some(isNamed)) await refusals.moreThan(count, stderrMs)
  const refused = named([...new Set([...told, ...refusals.since(count)])])
  if (refused.length === 0) return result
  const text = `The sandbox of server "${server}" refused: ${refused.join(', ')}. A person can permit it with "sandbox" in the server's configuration.`
  return { ...result, content: [...blocks, { type: 'text', text }] }
}
