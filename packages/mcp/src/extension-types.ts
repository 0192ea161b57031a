/** The types of extensions, on both sides. */
export type { ExtensionMethod, ExtensionWords } from './model/extension.ts'
export type { Method } from './model/features.ts'
export type { Shape, ShapeMembers, ShapeProblem } from './wire/shape.ts'
