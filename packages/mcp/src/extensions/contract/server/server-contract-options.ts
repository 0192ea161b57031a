import type { Reply } from '../../../server/tool-reply.ts'
import type { EffectStore } from '../../../stores/effect-store.ts'
import type { ContractLimits } from '../contract-limits.ts'
import type { ToolTerms } from '../tool-terms.ts'
import type { PreviewHandler } from './preview.ts'
import type { Requirements } from './requirements.ts'
import type { ServerSettings } from './settings.ts'
import type { SignalListener } from './signals.ts'
import type { SpillOptions } from './spill.ts'
import type { SpillSource } from './spills.ts'
import type { Updates } from './updates.ts'

/** Options of the contract on a server. */
export interface ServerContractOptions {
  /** Store for outcomes and steps: `sqliteStores(path).effects` outlives the process. @default in memory */
  readonly store?: EffectStore
  /** Needs of the server. @default none declared */
  readonly requires?: Requirements
  /** The way its program is updated. @default not declared */
  readonly updates?: Updates
  /**
   * Folders for callers: a call's folder and the paths it names lie in one of them. @default the folder of the
   * process
   */
  readonly folders?: readonly string[]
  /** Keeps results that are too large to answer with, as a resource for their caller. @default false */
  readonly spill?: boolean
  /** The settings of the server, which a resource then explains. @default none */
  readonly settings?: ServerSettings
  readonly limits?: ContractLimits
}

/** Additions of the contract to the definition of a tool. */
export interface ContractTool extends Omit<ToolTerms, 'preview'> {
  /** Says what a call would do, without doing any of it. */
  readonly preview?: PreviewHandler
}

/** Additions of the contract to the context of a handler. */
export interface ContractContext {
  /** Level of detail that the caller wants. */
  readonly want: 'brief' | 'normal' | 'full'
  /** End of the caller's wait for the result. */
  readonly deadline: Date | undefined
  /**
   * Runs one step. When a later one fails, the steps before it are undone, the last first, and the result says what
   * became of each.
   */
  step<Value>(name: string, run: () => Value | Promise<Value>, undo?: () => unknown): Promise<Value>
  /** The folder of this call. */
  readonly cwd: string
  /** The real path of what a caller named; rejects for what leads out of the folders, by `..` or by links. */
  path(path: string): Promise<string>
  /** Says how the tool ended, as the exit code of a program does. */
  exit(code: number): void
  /** Listens to a signal that the tool declares; one that arrived before is delivered at once. */
  onSignal(name: string, listener: SignalListener): void
  /**
   * Makes a reply of a stream or of pieces, however large: a small text is answered with; of anything else the head, the
   * tail and a link to all of it, which never is in memory as a whole.
   */
  spill(source: SpillSource, options?: SpillOptions): Promise<Reply>
}
