import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { ServerTaskOptions } from '@trunkline/mcp/tasks'
import type { Act } from './acts/act.ts'
import type { AskOptions } from './acts/ask-parts.ts'
import type { ActLimits } from './acts/limit.ts'
import type { InboxLimits } from './inbox/inbox.ts'
import type { RecordLevel } from './ledger/payloads.ts'
import type { PipeLimits } from './pipe/limits.ts'
import type { RuleClients } from './policy/always-rule.ts'
import type { Policy } from './policy/policy.ts'
import type { Rule } from './policy/rule.ts'
import type { DataMark } from './policy/taint.ts'
import type { ProofLimits } from './proof/person-proof.ts'
import type { ProofScope } from './proof/proof-need.ts'
import type { Concealed } from './servers/sandbox/settings.ts'
import type { ServerKey } from './servers/server-key.ts'
import type { ServerSpec } from './servers/server-spec.ts'
import type { LogLine } from './servers/stderr-ring.ts'
import type { UpstreamStatus } from './servers/upstream-status.ts'
import type { SpillLimits } from './spills/spills.ts'
import type { OutcomeLimits } from './terms/outcome-table.ts'

/** What a host is made of. */
export interface HostOptions {
  /** The folder for all that the host must remember. */
  readonly folder: string
  /** Folders that confined programs do not see. @default the folder of the host */
  readonly concealed?: readonly string[]
  /** @default none */
  readonly servers?: readonly ServerSpec[]
  /** The rules in force. @default none, so the defaults by class hold */
  readonly rules?: readonly Rule[]
  /** `observe` asks nothing, enforces what is denied, and records. @default 'enforce' */
  readonly mode?: 'enforce' | 'observe'
  /** Nothing waits for a person: what would ask is refused, with the rule that would allow it. @default false */
  readonly unattended?: boolean
  /** @default 0, which takes a free one */
  readonly port?: number
  /** The one server that `/mcp` offers, under its own names. @default all of them, under names that tell them apart */
  readonly only?: string
  /** How much of arguments and results is kept beside the ledger. @default 'full' */
  readonly record?: (server: ServerKey, project: string | undefined) => RecordLevel
  /** What the data of a server are to the person. @default neither private nor untrusted */
  readonly dataOf?: (server: ServerKey) => DataMark | undefined
  /** Lets everybody on this machine in, without a token and as fast as they like, for tests and benchmarks. @default false */
  readonly open?: boolean
  /** Milliseconds that calls under way have to finish when the host ends. @default 5_000 */
  readonly drainMs?: number
  readonly ask?: AskOptions
  /** Makes a rule of "always". @default it holds for the session */
  readonly always?: (act: Act, clients: RuleClients) => Promise<void>
  readonly limits?: ActLimits & InboxLimits
  /** How many bytes a tool's result may have before it is kept aside. @default 8 MiB for every server */
  readonly maxResultBytes?: (server: ServerKey, project: string | undefined) => number
  /** How much of what was kept aside is kept, and for how long. */
  readonly spills?: SpillLimits
  /** How much one plan of calls may ask for. */
  readonly pipe?: PipeLimits
  /** How much is remembered of calls with a key. */
  readonly outcomes?: OutcomeLimits
  /** How often and for how long the person can be proven. */
  readonly proof?: ProofLimits
  /** Which decisions need a proof in a project, besides those the person chose. @default none */
  readonly proofScopes?: (project: string | undefined) => readonly ProofScope[]
  onState?(status: UpstreamStatus): void
  /** A server wrote to stderr. */
  onLog?(server: ServerKey, lines: readonly LogLine[]): void
  /** The environment of package managers, which fetch programs. @default this process's */
  packageEnvironment?(): { readonly [name: string]: string | undefined }
  /** The secret with which `trunkline stdio` opens connections for the person's programs. @default nobody can */
  readonly linesToken?: string
  /** Knows what is denied in the projects that callers work in. @default nothing is */
  readonly workplaces?: {
    /** The projects among some directories. */
    rootsOf(folders: readonly string[]): Promise<readonly string[]>
    /** The policy of such a project that denies an act. */
    denying(act: Act): Policy | undefined
  }
  /** Whether a person wrote the entry of a client with `trunkline install`. @default none */
  isInstalled?(client: string): Promise<boolean>
  /** Clients that `trunkline install` connected before clients were bound to programs. @default none */
  installedEarlier?(): Promise<readonly string[]>
  /** Reads what counts in a directory, sets it, and returns the project it is; '' for none. @default there are no projects */
  openProject?(directory: string): Promise<string>
  /** Resolves when the servers are known, where they are not known from the start. */
  whenConfigured?(): Promise<void>
  /** How many tasks callers may have, and for how long. */
  readonly tasks?: Pick<ServerTaskOptions, 'limits' | 'ttlMs' | 'pollMs'>
  /** Shows a page to the person at this machine. @default the browser */
  openPage?(page: URL): Promise<void>
  /** Answers requests that are not below `/mcp`; false when it does not. */
  other?(request: IncomingMessage, response: ServerResponse): boolean
  onError?(error: unknown, what: string): void
}

/** The folders that confined programs do not see, but for the programs that the host installed there. */
export function concealedBy({ folder, concealed = [folder] }: HostOptions): Concealed {
  return { folders: concealed, except: [join(folder, 'programs')] }
}
