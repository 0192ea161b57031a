import type { Client } from '@trunkline/mcp/client'
import type { Registry } from '../command/command.ts'

/** Something that may stand where the cursor is. */
export interface Candidate {
  readonly text: string
  readonly about: string
}

/** What completion may look at. */
export interface Completing {
  readonly commands: Registry
  /** Opens the server that a word names, if that needs no program to be started. */
  connect(word: string): Promise<Client | undefined>
}
