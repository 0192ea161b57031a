import { after, test } from 'node:test'
import { endProcesses } from './harness/cluster/cluster-host.ts'
import { oneProcess } from './harness/cluster/one-process.ts'
import { isCluster, places } from './harness/places.ts'
import { type Setting, settingOf } from './harness/setting.ts'
import { manifest, type RequirementId } from './manifest.ts'
import { isExpressible, type Requirement, revisions, revisionsOf } from './requirement.ts'

after(async () => {
  await Promise.all(places.map(([, place]) => place.close()))
  await endProcesses()
})

/** Tests one behaviour, or several that show together, in every revision and over every transport that can express it. */
export function verifies(
  cited: RequirementId | readonly RequirementId[],
  behaviour: (setting: Setting) => Promise<void>,
): void {
  const ids = [cited].flat()
  if (isCluster && ids.join(' + ') in oneProcess) return
  const requirements: readonly Requirement[] = ids.map((id) => manifest[id])
  for (const revision of revisions) {
    if (!requirements.every((requirement) => revisionsOf(requirement).includes(revision))) continue
    for (const [transport, place] of places) {
      if (!requirements.every((requirement) => isExpressible(requirement, revision, transport))) continue
      test(`${ids.join(' + ')} [${revision} ${transport}]`, async () => {
        try {
          await using stack = new AsyncDisposableStack()
          await behaviour(settingOf({ place, revision, transport, stack }))
        } catch (error) {
          place.distrust()
          throw error
        }
      })
    }
  }
}
