import type { Host } from '../assembly/host.ts'
import type { Chats } from '../chat/chats.ts'
import type { InstallOptions } from '../clients/install/plan-install.ts'
import type { Config } from '../config/config.ts'
import type { Acceptances } from '../config/layers/acceptances.ts'
import type { Permits } from '../config/layers/permits.ts'
import type { Machine } from '../config/machine.ts'
import type { Places } from '../config/places.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { Secrets } from '../config/secrets/secret-file.ts'
import type { OwnRules } from '../policy/own-rules.ts'
import type { SavedRequestTable } from '../store/tables/saved-request-table.ts'
import type { Lockfiles } from '../trust/lockfile/lockfiles.ts'
import type { AcceptCode, AcceptCodes } from './accept-codes.ts'
import type { AppCalls } from './app-calls.ts'
import type { HostEvent } from './events.ts'
import type { FollowedTasks } from './followed-tasks.ts'
import type { PageLogins } from './page-logins.ts'
import type { ResourceWatches } from './resource-watches.ts'

/** The host and its configuration, as the API needs them. */
export interface ApiServices {
  readonly host: Host
  readonly config: Config
  readonly places: Places
  readonly secrets: Secrets
  readonly acceptances: Acceptances
  readonly chats: Chats
  readonly lockfiles: Lockfiles
  /** The rules that the host writes for the person. */
  readonly rules: OwnRules
  readonly machine: Machine
  /** The program and its first arguments that start the command, for clients; undefined if not configured. */
  readonly launcher: InstallOptions['launcher'] | undefined
  /** The directory that the host was started in. */
  readonly directory: string
  /** The configuration as it was read last. */
  configured(): {
    readonly problems: readonly ConfigProblem[]
    readonly waiting: readonly Permits[]
    readonly disabled: readonly { readonly name: string; readonly source: string }[]
    readonly found: readonly { readonly name: string; readonly client: string; readonly file: string }[]
  }
  /** Resolves when the configuration was read. */
  whenConfigured(): Promise<void>
  /** Puts in force what was written to configuration files. */
  applyFiles(...files: readonly string[]): Promise<void>
  /** The project of a directory; of none, that of callers that name none. */
  rootOf(directory: string | undefined): Promise<string | undefined>
  /** Shows a code where the host was started; missing if no person looks there. */
  showCode?(code: AcceptCode): void
  /** Ends the host once the answer has left. */
  down(): void
}

/** Services of the handlers: those of the host, and the state of the API itself. */
export interface RouteServices extends ApiServices {
  /** Time at which the API was first asked. */
  readonly startedAt: number
  readonly pages: PageLogins
  readonly codes: AcceptCodes
  readonly appCalls: AppCalls
  readonly watches: ResourceWatches
  readonly tasks: FollowedTasks
  readonly savedRequests: SavedRequestTable
  /** Tells pages of an event. */
  tell(event: HostEvent): void
}
