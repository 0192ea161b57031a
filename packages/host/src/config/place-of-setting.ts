import { keyOf, type Path } from './document/document.ts'
import type { EffectiveConfig } from './effective.ts'

/** Where a setting stands, or the nearest one above it that is there. */
export function placeOf(config: Pick<EffectiveConfig, 'explain'>, path: Path): { file: string; line: number } {
  for (let length = path.length; length > 0; length--) {
    const said = config.explain(keyOf(path.slice(0, length))).flatMap((one) => one.said)
    const [first] = said.filter(({ standing }) => standing === 'in effect')
    if (first) return { file: first.file, line: first.line }
  }
  return { file: 'the configuration', line: 1 }
}
