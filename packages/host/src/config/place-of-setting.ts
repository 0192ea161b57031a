import { keyOf, type Path } from './document/document.ts'
import type { EffectiveConfig } from './effective.ts'

/** Place of a setting or an item of a list, or of the nearest setting above it that is there. */
export function placeOf(config: Pick<EffectiveConfig, 'explain'>, path: Path): { file: string; line: number } {
  for (let length = path.length; length > 0; length--) {
    const said = config.explain(keyOf(path.slice(0, length))).flatMap((one) => one.said)
    const [first] = said.filter(({ standing }) => standing === 'in effect')
    if (!first) continue
    const [item] = path.slice(length)
    const ofItem = typeof item === 'number' ? first.itemLines[item] : undefined
    return { file: first.file, line: ofItem ?? first.line }
  }
  return { file: 'the configuration', line: 1 }
}
