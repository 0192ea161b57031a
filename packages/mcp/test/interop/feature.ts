import type { Driver } from './driver.ts'

/** One thing that a client and a server must be able to do together. */
export interface Feature {
  readonly name: string
  /** The first revision that has it. @default all */
  readonly since?: string
  /** The last revision that has it. @default all */
  readonly until?: string
  /** The only servers that can show it. @default all */
  readonly by?: 'ours' | 'theirs'
  verify(driver: Driver): Promise<void>
}
