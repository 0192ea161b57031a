import type { Client } from '@trunkline/mcp'
import type { Updates } from '@trunkline/mcp/contract'
import type { ProgramLaunch } from './launch.ts'
import { saidByPackage } from './requirements/check-needs.ts'
import { declaredUpdates, updatesInWords, updatesOff, updatesSaid } from './requirements/updates.ts'

/** Updates that programs declared when they ran, for their next starts. */
const learned = new WeakMap<ProgramLaunch, Updates>()

/**
 * Starts a program and keeps it from updating itself, if it declares how: in its package, or when it runs, after which
 * it is started once more. A person is told of one that cannot be kept from it.
 */
export async function startedAsAccepted<Started extends { readonly client: Client }>(
  launch: ProgramLaunch,
  source: string | undefined,
  start: (launch: ProgramLaunch) => Promise<Started>,
): Promise<Started & { readonly updates: string | undefined }> {
  const first = withUpdatesOff(launch, learned.get(launch) ?? saidByPackage(launch, declaredUpdates))
  const started = await start(first)
  const said = updatesSaid(started.client)
  if (said === undefined) return { ...started, updates: updatesOfPackage(launch, source) }
  learned.set(launch, said)
  const second = withUpdatesOff(launch, said)
  const isKnown = Object.keys(second.env).every((name) => first.env[name] === second.env[name])
  const updates = updatesInWords(said, variablesOf(second), source)
  if (isKnown) return { ...started, updates }
  await started.client.close()
  return { ...(await start(second)), updates }
}

/** Updates declared by a program's package, in words for the person who accepts it; undefined if it has none. */
export function updatesOfPackage(launch: ProgramLaunch, source?: string): string | undefined {
  const updates = saidByPackage(launch, declaredUpdates)
  return updatesInWords(updates, variablesOf(withUpdatesOff(launch, updates)), source)
}

function withUpdatesOff(launch: ProgramLaunch, updates: Updates | undefined): ProgramLaunch {
  const off = updatesOff(updates, variablesOf(launch))
  return Object.keys(off).length === 0 ? launch : { ...launch, env: { ...launch.env, ...off } }
}

const variablesOf = ({ base, env }: ProgramLaunch) => ({ ...base, ...env })
