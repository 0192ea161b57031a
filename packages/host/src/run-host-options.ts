import type { AcceptCode } from './api/accept-codes.ts'
import type { Machine } from './clients/client-files.ts'
import type { Value } from './config/document/document.ts'
import type { HostOptions } from './host-options.ts'
import type { InstallOptions } from './install/plan-install.ts'
import type { NotifierTimes } from './notify/notifier.ts'
import type { ProjectLimits } from './open-projects.ts'
import type { ConfiguredState, RunningHost } from './running-host.ts'

/** How to run a host with the configuration of a person. */
export interface RunHostOptions
  extends Pick<HostOptions, 'unattended' | 'ask' | 'onState' | 'onLog' | 'onError' | 'limits' | 'openPage'> {
  /** @default this machine */
  readonly machine?: Machine
  /** The directory it is started in: the project, and what the files server shows while nothing is configured. */
  readonly directory: string
  /** Settings of the command line, by key. */
  readonly flags?: { readonly [key: string]: Value }
  /** How often configuration files are looked at, in milliseconds. @default 250 */
  readonly everyMs?: number
  /** Whether it ends some time after the last caller has left, as a host does that nobody started by hand. @default false */
  readonly endsWhenIdle?: boolean
  /** How long it stays then, and how often it looks, in milliseconds. @default as configured, and every 10 s */
  readonly idle?: { readonly stayMs?: number; readonly everyMs?: number }
  /** How many projects are kept open, and for how long without a caller. */
  readonly projects?: ProjectLimits & { readonly idleMs?: number }
  /** How long a person is waited for before and between notices, and how long each may take. */
  readonly notify?: NotifierTimes
  /** How often projects are looked for that nobody uses, in milliseconds. @default 60_000 */
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
  /** The state of the host was deleted or replaced while it ran, so whoever runs it closes it. @default `onDown` */
  onStateGone?(): void
  /** Somebody ended the host through its API; whoever runs it closes it. @default it closes itself */
  onDown?(): void
}
