import { dialects } from '../dialects/select-dialect.ts'
import type { Shape } from '../wire/shape.ts'

/** How a type is shaped in the newest revision; for an older one a result is spelled anew when it is sent. */
export function wireShapeOf(type: string): Shape {
  const shape = dialects[0]?.vocabulary.types[type]
  if (!shape) throw new TypeError(`Cannot check a "${type}": the newest revision has none`)
  return shape
}
