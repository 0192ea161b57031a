import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { ServerTaskOptions } from '@trunkline/mcp/tasks'
import type { Act } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { AskOptions } from '../acts/ask-parts.ts'
import type { ActLimits } from '../acts/limit.ts'
import type { InboxLimits } from '../inbox/inbox.ts'
import type { ProofLimits } from '../inbox/proof/person-proof.ts'
import type { ProofScope } from '../inbox/proof/proof-need.ts'
import type { RecordLevel } from '../ledger/payloads.ts'
import type { PipeLimits } from '../pipe/pipe-limits.ts'
import type { RuleScope } from '../policy/always-rule.ts'
import type { Policy } from '../policy/policy.ts'
import type { Rule } from '../policy/rule.ts'
import type { DataMark } from '../policy/taint.ts'
import type { SpillLimits } from '../relay/spills/spills.ts'
import type { OutcomeLimits } from '../relay/terms/known-outcomes.ts'
import type { Concealed } from '../servers/sandbox/settings.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import type { LogLine } from '../servers/stderr-ring.ts'
import type { UpstreamStatus } from '../servers/upstream-status.ts'

/** Options of a host. */
export interface HostOptions {
  /** The folder for all that the host must remember. */
  readonly folder: string
  /** Folders that confined programs do not see. @default the folder of the host */
  readonly concealed?: readonly string[]
  /** @default none */
  readonly servers?: readonly ServerSpec[]
  /** The rules in force. @default none, so the defaults by class hold */
  readonly rules?: readonly Rule[]
  /** `observe` asks nothing, enforces rules that deny, and records. @default 'enforce' */
  readonly mode?: 'enforce' | 'observe'
  /** True to wait for no person: an act that would ask is refused, with the rule that would allow it. @default false */
  readonly unattended?: boolean
  /** @default 0, which takes a free one */
  readonly port?: number
  /** Name of the only server that `/mcp` offers, under its own names. @default all servers, with prefixed names */
  readonly only?: string
  /** Amount of arguments and results kept beside the ledger. @default 'full' */
  readonly record?: (server: ServerKey, project: string | undefined) => RecordLevel
  /** Marks of a server's data: private, untrusted or both. @default neither */
  readonly dataOf?: (server: ServerKey) => DataMark | readonly DataMark[] | undefined
  /** Accepts every program on this machine, without a token or rate limit, for tests and benchmarks. @default false */
  readonly open?: boolean
  /** Milliseconds that calls under way have to finish when the host ends. @default 5_000 */
  readonly drainMs?: number
  readonly ask?: AskOptions
  /** Makes a rule of "always". @default it holds for the session */
  readonly always?: (act: Act, scope: RuleScope) => Promise<void>
  readonly limits?: ActLimits & InboxLimits
  /** Largest result of a tool in bytes; larger ones are kept aside. @default 8 MiB for every server */
  readonly maxResultBytes?: (server: ServerKey, project: string | undefined) => number
  /** Size and age limits of the results kept aside. */
  readonly spills?: SpillLimits
  /** Limits of one plan of calls. */
  readonly pipe?: PipeLimits
  /** Limits of the remembered outcomes of calls with a key. */
  readonly outcomes?: OutcomeLimits
  /** Limits of proofs that the person is present: attempts and validity. */
  readonly proof?: ProofLimits
  /** Decisions that need a proof in a project, besides those the person chose. @default none */
  readonly proofScopes?: (project: string | undefined) => readonly ProofScope[]
  onState?(status: UpstreamStatus): void
  /** A server wrote to stderr. */
  onLog?(server: ServerKey, lines: readonly LogLine[]): void
  /** The environment of package managers, which fetch programs. @default this process's */
  packageEnvironment?(): { readonly [name: string]: string | undefined }
  /** The secret with which `trunkline stdio` opens connections for the person's programs. @default it can open none */
  readonly linesToken?: string
  /** Deny rules of the projects that callers work in. @default none */
  readonly workplaces?: {
    /** The projects among some directories. */
    rootsOf(folders: readonly string[]): Promise<readonly string[]>
    /** The policy of such a project that denies an act. */
    denying(act: Act): Policy | undefined
  }
  /** True if a person wrote the entry of a client with `trunkline install`. @default false */
  isInstalled?(client: string): Promise<boolean>
  /** Clients that `trunkline install` connected before clients were bound to programs. @default none */
  installedEarlier?(): Promise<readonly string[]>
  /** Reads and sets the settings of a directory, and returns its project; '' for none. @default there are no projects */
  openProject?(directory: string): Promise<string>
  /** Resolves when the servers are known, where they are not known from the start. */
  whenConfigured?(): Promise<void>
  /** Limits of callers' tasks: number and lifetime. */
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
