import type { AcceptCode } from '../api/accept-codes.ts'
import type { HttpApi } from '../api/http-api.ts'
import type { Host } from '../assembly/host.ts'
import type { HostOptions } from '../assembly/host-options.ts'
import type { Chats } from '../chat/chats.ts'
import type { InstallOptions } from '../clients/install/plan-install.ts'
import type { Config } from '../config/config.ts'
import type { Value } from '../config/document/document.ts'
import type { Acceptances } from '../config/layers/acceptances.ts'
import type { Machine } from '../config/machine.ts'
import type { Places } from '../config/places.ts'
import type { Secrets } from '../config/secrets/secret-file.ts'
import type { NotifierTimes } from '../inbox/notify/notifier.ts'
import type { OwnRules } from '../policy/own-rules.ts'
import type { ProjectLimits } from '../projects/open-projects.ts'
import type { Lockfiles } from '../trust/lockfile/lockfiles.ts'
import type { ConfiguredState } from './configured-state.ts'

/** Options to run a host with the configuration of a person. */
export interface RunHostOptions
  extends Pick<HostOptions, 'unattended' | 'ask' | 'onState' | 'onLog' | 'onError' | 'limits' | 'openPage'> {
  /** @default this machine */
  readonly machine?: Machine
  /** The directory it is started in: the project, and the folder of the files server while nothing is configured. */
  readonly directory: string
  /** Settings of the command line, by key. */
  readonly flags?: { readonly [key: string]: Value }
  /** Interval at which configuration files are read, in milliseconds. @default 250 */
  readonly everyMs?: number
  /** True to end some time after the last caller has left, as a host started on demand does. @default false */
  readonly endsWhenIdle?: boolean
  /** Idle time before it ends, and interval of the check, in milliseconds. @default as configured, and every 10 s */
  readonly idle?: { readonly stayMs?: number; readonly everyMs?: number }
  /** Limits of open projects: number, and idle time without a caller. */
  readonly projects?: ProjectLimits & { readonly idleMs?: number }
  /** Times of notices: delay, interval, and limit of each. */
  readonly notify?: NotifierTimes
  /** Interval at which idle projects are closed, in milliseconds. @default 60_000 */
  readonly tidyMs?: number
  /** The program and its first arguments that start the command; clients are connected with it. @default they cannot be */
  readonly launcher?: InstallOptions['launcher']
  /** The folder of the built console. @default no page is served */
  readonly console?: string
  /** It answers; servers are looked at afterwards. */
  onListening?(running: RunningHost): Promise<void> | void
  /** The configuration was read, at the start and after each change. */
  onConfig?(config: ConfiguredState): void
  /** A page wants to accept a server; the person types this code there. */
  onAcceptCode?(code: AcceptCode): void
  /** Called when the host's state was deleted or replaced while it ran; the caller closes the host. @default `onDown` */
  onStateGone?(): void
  /** Called when the host was ended through its API; the caller closes it. @default it closes itself */
  onDown?(): void
}

/** A host that follows the configuration files. */
export interface RunningHost extends AsyncDisposable {
  readonly host: Host
  readonly config: Config
  readonly places: Places
  readonly secrets: Secrets
  readonly acceptances: Acceptances
  readonly state: ConfiguredState
  readonly api: HttpApi
  readonly chats: Chats
  /** The locks beside the configuration files. */
  readonly lockfiles: Lockfiles
  /** File with the address and token of the API, which only its owner can read. */
  readonly runningFile: string
  /** The rules that the host writes for the person. */
  readonly rules: OwnRules
  /** Reads everything anew, as after a change. */
  reload(): Promise<void>
  close(): Promise<void>
}
