import type { Client } from '@trunkline/mcp/client'
import type { Registry } from '../command/command.ts'

/** Something that may stand where the cursor is. */
export interface Candidate {
  readonly text: string
  readonly about: string
}

/** A server that is asked what may follow; disposing of it ends what was opened for that. */
export interface AskedServer extends AsyncDisposable {
  readonly client: Client
}

/** Sources of completion. */
export interface Completing {
  readonly commands: Registry
  /** Every configured server. */
  servers(): Promise<readonly Candidate[]>
  /** Every client that can be connected. */
  clients(): Promise<readonly Candidate[]>
  /** Skills of a server that the running host knows. */
  skills(server: string): Promise<readonly Candidate[]>
  /** Files of a skill, by their paths in it. */
  skillFiles(server: string, skill: string): Promise<readonly Candidate[]>
  /** Opens the server that a word names, if that needs no program to be started. */
  connect(word: string): Promise<AskedServer | undefined>
}
