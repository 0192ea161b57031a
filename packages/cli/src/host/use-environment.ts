import { findPlaces, hostEnvironment, recordEnvironment, recordedEnvironment, thisMachine } from '@trunkline/host/api'
import { settingVariables } from '@trunkline/host/config'
import type { Output } from '../output/output.ts'

/**
 * Settles which variables this process has as a host. Those of a person's terminal count and are recorded; any other
 * process takes its settings from files, and its search path, certificates and proxies from the record.
 */
export async function useEnvironment({
  isPerson,
  output,
}: {
  readonly isPerson: boolean
  readonly output: Output
}): Promise<void> {
  const places = findPlaces(thisMachine())
  if (isPerson) return recordEnvironment(places, process.env)
  const ignored = settingVariables(process.env)
  if (ignored.length > 0) {
    output.warn(`${ignored.join(', ')} does not count outside of a terminal: write it into "${places.userFile}"`)
  }
  const recorded = await recordedEnvironment(places)
  const variables = hostEnvironment(process.env, 'command', recorded?.variables)
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
}
