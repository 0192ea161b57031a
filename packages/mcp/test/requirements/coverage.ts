import { isExpressible, type Requirement, type Requirements, revisionsOf, type Transport } from './requirement.ts'

/** The requirements that each call of `verifies` in a source cites. */
export function citationsIn(source: string): readonly (readonly string[])[] {
  const calls = source.matchAll(/^verifies\(\s*(\[[^\]]*\]|'[^']*')/gm)
  return [...calls].map(([, cited = '']) => [...cited.matchAll(/'([^']*)'/g)].map(([, id = '']) => id))
}

/** Every revision and transport in which a requirement holds, as in `2025-06-18 stdio`. */
export function cellsOf(requirement: Requirement, transports: readonly Transport[]): readonly string[] {
  const able = transports.filter((transport) => isExpressible(requirement, transport))
  return revisionsOf(requirement).flatMap((revision) => able.map((transport) => `${revision} ${transport}`))
}

/** What is wrong with a manifest and the tests that cite it: requirements not verified, citations of none. */
export function gaps(
  manifest: Requirements,
  citations: readonly (readonly string[])[],
  transports: readonly Transport[],
): readonly string[] {
  const unknown = citations.flat().filter((id) => !Object.hasOwn(manifest, id))
  const known = citations.map((ids) => ids.flatMap((id) => manifest[id] ?? []))
  const missing = Object.entries(manifest).flatMap(([id, requirement]) => {
    const verified = known
      .filter((cited) => cited.includes(requirement))
      .flatMap((cited) => sharedCells(cited, transports))
    return cellsOf(requirement, transports)
      .filter((cell) => !verified.includes(cell))
      .map((cell) => `nothing verifies "${id}" in ${cell}`)
  })
  return [...unknown.map((id) => `there is no requirement "${id}"`), ...missing]
}

function sharedCells([first, ...others]: readonly Requirement[], transports: readonly Transport[]): readonly string[] {
  if (!first) return []
  return cellsOf(first, transports).filter((cell) => others.every((one) => cellsOf(one, transports).includes(cell)))
}
