import type { Row } from './table.ts'

/** The checks that pass where our server is reached directly, and that were not made or did not pass behind a gateway. */
export function missingBehind(direct: readonly Row[], behind: readonly Row[]): string[] {
  return behind.flatMap(({ scenario, verdicts }) => {
    const { side, name } = scenario
    const same = direct.find((row) => row.scenario.side === side && row.scenario.name === name)
    return scenario.revisions.flatMap((revision) => {
      const passed = new Set(verdicts.get(revision)?.passed)
      const missing = new Set(same?.verdicts.get(revision)?.passed?.filter((check) => !passed.has(check)))
      return [...missing].map((check) => `${side} ${name} at ${revision}: "${check}" passes directly, and not here`)
    })
  })
}
