import { npm } from './npm.ts'
import { uv } from './uv.ts'

/** The package managers that fetch programs, by the names that commands have for them. */
export const managers = { npm, uv } as const
