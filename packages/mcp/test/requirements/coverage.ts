import { isExpressible, type Requirement, type Requirements, revisionsOf, type Transport } from './requirement.ts'

/** The requirements that each call of `verifies` in a source cites. */
export function citationsIn(source: string): readonly (readonly string[])[] {
  const calls = source.matchAll(/^verifies\(\s*(\[[^\]]*\]|'[^']*')/gm)
  return [...calls].map(([, cited = '']) => [...cited.matchAll(/'([^']*)'/g)].map(([, id = '']) => id))
}

/** Every revision and transport in which a requirement holds, as in `2025-06-18 stdio`. */
export function cellsOf(requirement: Requirement, transports: readonly Transport[]): readonly string[] {
  return revisionsOf(requirement).flatMap((revision) =>
    transports
      .filter((transport) => isExpressible(requirement, revision, transport))
      .map((transport) => `${revision} ${transport}`),
  )
}

/** Gaps between a manifest and the tests that cite it: requirements not verified, citations of none. */
export function gaps(
  manifest: Requirements,
  citations: readonly (readonly string[])[],
  transports: readonly Transport[],
): readonly string[] {
  const unknown = citations.flat().filter((id) => !Object.hasOwn(manifest, id))
  const known = citations.map((ids) => ids.flatMap((id) => manifest[id] ?? []))
  const missing = Object.entries(manifest).flatMap(([id, requirement]) => {
    const cells = cellsOf(requirement, transports)
    const nowhere = revisionsOf(requirement).filter((revision) => !cells.some((cell) => cell.startsWith(revision)))
    const verified = known
      .filter((cited) => cited.includes(requirement))
      .flatMap((cited) => sharedCells(cited, transports))
    return [...nowhere, ...cells.filter((cell) => !verified.includes(cell))].map(
      (where) => `nothing verifies "${id}" in ${where}`,
    )
  })
  return [...unknown.map((id) => `there is no requirement "${id}"`), ...missing]
}

/** The exceptions that say nothing, because no revision of the requirement could be expressed there anyway. */
export function idleExceptions(manifest: Requirements): readonly string[] {
  return Object.entries(manifest).flatMap(([id, { except = {}, ...requirement }]) => {
    const isIdle = (transport: string) => cellsOf(requirement, [transport as Transport]).length === 0
    return Object.keys(except)
      .filter(isIdle)
      .map((transport) => `"${id}" over ${transport}`)
  })
}

function sharedCells([first, ...others]: readonly Requirement[], transports: readonly Transport[]): readonly string[] {
  if (!first) return []
  return cellsOf(first, transports).filter((cell) => others.every((one) => cellsOf(one, transports).includes(cell)))
}
