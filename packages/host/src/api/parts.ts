import type { Client, Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Chats } from '../chat/chats.ts'
import type { ImportEdits } from '../clients/import/apply.ts'
import type { ImportPlan } from '../clients/import/import-plan.ts'
import type { HostServers } from '../clients/install/match-entries.ts'
import type { InstallOptions } from '../clients/install/plan-install.ts'
import type { KeyExplanation } from '../config/layers/explain.ts'
import type { Permits } from '../config/layers/permits.ts'
import type { Machine } from '../config/machine.ts'
import type { OwnFile } from '../config/own-file.ts'
import type { Places } from '../config/places.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { RuleInFile } from '../config/replace-rule.ts'
import type { WrittenRuleChange } from '../config/written-rules.ts'
import type { TaskClient } from '../gateway/inner-clients.ts'
import type { ClientPrograms } from '../gateway/principals/client-programs.ts'
import type { Principals } from '../gateway/principals/principals.ts'
import type { ConnectedProcesses } from '../gateway/processes/connected-processes.ts'
import type { Wire } from '../gateway/wire/wire.ts'
import type { WrittenRequest } from '../gateway/written-request.ts'
import type { Grants } from '../inbox/grants.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { PersonProof } from '../inbox/proof/person-proof.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RecordLevel } from '../ledger/payloads.ts'
import type { LedgerIndex } from '../ledger/search-index.ts'
import type { PlacedRule, RuledAct } from '../policy/always-rule.ts'
import type { Policy } from '../policy/policy.ts'
import type { Effect } from '../policy/rule.ts'
import type { Taints } from '../policy/taints.ts'
import type { Programs } from '../servers/programs/programs.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import type { ServerTable } from '../servers/server-table.ts'
import type { SignInPage } from '../servers/sign-in/server-sign-in.ts'
import type { StateHistory } from '../servers/state-history.ts'
import type { Store } from '../store/store.ts'
import type { Lockfiles } from '../trust/lockfile/lockfiles.ts'
import type { SeenServer } from '../trust/server-acceptance.ts'
import type { AcceptCode } from './accept-codes.ts'
import type { RouteAnswer } from './routes.ts'

/** The policy for the callers of a project, or of none. */
export interface ProjectPolicy {
  readonly policy: Policy
  readonly root: string | undefined
  /** The key of a server that they are offered. */
  keyOf(server: ServerName): ServerKey | undefined
}

/** A policy that is tried and not put in force. */
export interface PolicyChange {
  /** Instead of the person's own file. */
  readonly text?: string | undefined
  readonly rules?: readonly { readonly effect: Effect; readonly rule: string }[] | undefined
}

/** Newer versions of programs. */
export interface Updates {
  outdated(): Promise<readonly RouteAnswer<'outdated'>['items'][number][]>
  plan(server: ServerKey): Promise<RouteAnswer<'planUpdate'>>
  update(server: ServerKey, digest: string): Promise<RouteAnswer<'planUpdate'>>
}

/** Dependencies of the API. */
export interface ApiParts {
  readonly version: string
  readonly store: Store
  readonly catalogue: Catalogue
  readonly servers: ServerTable
  readonly inbox: Inbox
  readonly grants: Grants
  readonly ledger: Ledger
  readonly searchIndex: LedgerIndex
  readonly proof: PersonProof
  /** Resolves when the configuration was read. */
  whenConfigured(): Promise<void>
  /** Days that arguments are kept, and questions with them. */
  keepDays(): number
  readonly wire: Wire
  /** Recent state changes of servers. */
  readonly states: StateHistory
  /** Recording level of a server, by its name. */
  recordLevelOf(server: ServerName): RecordLevel
  readonly principals: Principals
  readonly clientPrograms: ClientPrograms
  readonly connections: ConnectedProcesses
  readonly taints: Taints
  readonly chats: Chats
  readonly lockfiles: Lockfiles
  readonly programs: Programs
  readonly updates: Updates
  /** The address of the endpoint for clients. */
  mcpUrl(): string
  policy(): Policy
  /** The policy for callers in a directory, and the project that it is. */
  policyIn(directory: string | undefined): Promise<ProjectPolicy>
  /** Processes of servers that an earlier host left behind. */
  leftovers(): readonly { readonly pid: number; readonly command: string }[]
  /** Every configured server, accepted or not. */
  specs(): readonly ServerSpec[]
  /** The key of a server by its name; rejects a name that no server has, or several. */
  keyOf(server: ServerName | ServerKey): ServerKey
  isAccepted(server: ServerKey): boolean
  /** Description of a server that a person would accept now; undefined while something is missing. */
  seen(server: ServerKey): Promise<SeenServer | undefined>
  /** Accepts a server as a person has seen it. */
  accept(server: ServerName | ServerKey, seen: string): Promise<void>
  /** Asks a server for its offers; rejects when it cannot be asked. */
  learn(server: ServerKey): Promise<void>
  /** The page that the person has to visit for a server, if one waits. */
  signInPage(server: ServerKey): SignInPage | undefined
  signIn(server: ServerKey): Promise<SignInPage | undefined>
  signOut(server: ServerKey): Promise<void>
  configured(): {
    readonly problems: readonly ConfigProblem[]
    readonly waiting: readonly Permits[]
    readonly disabled: readonly { readonly name: string; readonly source: string }[]
    readonly found: readonly { readonly name: string; readonly client: string; readonly file: string }[]
  }
  /** Serves the callers of a directory as well, so that its servers are known. */
  openProject(directory: string): Promise<void>
  explainConfig(key: string, directory: string | undefined): Promise<readonly KeyExplanation[]>
  acceptFile(permits: Permits): Promise<void>
  /** A client of one server for the person at a page, under the policy like any other. */
  clientOf(server: ServerName, program?: 'console' | 'app'): Promise<Client>
  /** The same, with which tools can be started as tasks. */
  taskClientOf(server: ServerName): Promise<TaskClient>
  /** The request with which a client calls a tool of a server over HTTP; nothing is called. */
  writtenCall(server: ServerName, tool: string, args: Fields): Promise<WrittenRequest>
  /** The rule that "always" makes of an act, and the file it is written to. */
  ruleFor(act: RuledAct & Pick<Act, 'project'>): PlacedRule | undefined
  /** Puts a server into the person's own configuration, or takes it out. */
  writeServer(name: string, entry: Fields | undefined): Promise<void>
  /** The person's own file, as text. */
  readonly ownFile: OwnFile
  /** The person's own servers, with secrets in the place of references to them. */
  presentServers(): Promise<HostServers>
  planImport(): Promise<ImportPlan>
  /** Writes the chosen parts of it; returns the files. */
  runImport(edits: ImportEdits): Promise<readonly string[]>
  readonly machine: Machine
  readonly places: Places
  /** The program and its first arguments that start the command, for clients; undefined if not configured. */
  readonly launcher: InstallOptions['launcher'] | undefined
  /** Shows a code where the host was started. */
  showCode(code: AcceptCode): void
  /** The policy that would be in force with another text for the person's own file, or with some rules more. */
  trialPolicy(
    change: PolicyChange,
    directory: string | undefined,
  ): Promise<{ readonly policy: Policy; readonly problems: readonly ConfigProblem[] }>
  /** Writes a rule to the person's own file and tells which file that is. */
  writeRule(effect: Effect, rule: string): Promise<string>
  /** Puts another rule in the place of one in its file, or removes it. */
  replaceRule(rule: RuleInFile, instead: string | undefined): Promise<void>
  /** The rule that was written last, where it can be taken out again. */
  lastRule(): Promise<WrittenRuleChange | undefined>
  /** Takes the rule that was written last out of its file again. */
  undoRule(): Promise<WrittenRuleChange | undefined>
  /** Opens a page in the browser of the host's own environment; true if it could. */
  openPage(url: string): Promise<boolean>
  /** Ends the host once the answer has left. */
  down(): void
}
