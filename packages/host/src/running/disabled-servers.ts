import { type ReadProject, uniqueBy } from '../projects/read-project.ts'
import type { DisabledServer } from './running-host.ts'

/** The servers of projects that are configured and not started, because their entries say so; one of several projects once. */
export function disabledServers(projects: readonly ReadProject[]): readonly DisabledServer[] {
  const disabled = projects
    .flatMap(({ config }) => config.servers)
    .filter(({ entry }) => entry.disabled === true)
    .map(({ name, place: { file, line } }) => ({ name, source: `${file}:${line}` }))
  return uniqueBy(disabled, ({ name, source }) => `${name} ${source}`)
}
