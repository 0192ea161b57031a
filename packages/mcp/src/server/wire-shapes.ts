import { dialects } from '../dialects/select-dialect.ts'
import type { Shape } from '../wire/shape.ts'

/** The shape of a type in the newest revision; results are encoded for older ones when they are sent. */
export function wireShapeOf(type: string): Shape {
  const shape = dialects[0]?.vocabulary.types[type]
  if (!shape) throw new TypeError(`Cannot check a "${type}": the newest revision has none`)
  return shape
}
