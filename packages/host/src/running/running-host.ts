import type { HttpApi } from '../api/http-api.ts'
import type { Chats } from '../chat/chats.ts'
import type { Config } from '../config/config.ts'
import type { EffectiveConfig } from '../config/effective.ts'
import type { Acceptances } from '../config/layers/acceptances.ts'
import type { Places } from '../config/places.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { Secrets } from '../config/secrets/secret-file.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Host } from '../assembly/host.ts'
import type { Lockfiles } from '../trust/lockfile/lockfiles.ts'
import type { OwnRules } from '../policy/own-rules.ts'

/** The current configuration, for people. */
export interface ConfiguredState {
  readonly problems: readonly ConfigProblem[]
  /** Project files that permit nothing until they are accepted. */
  readonly waiting: EffectiveConfig['waiting']
  readonly servers: readonly ServerName[]
  /** Folder that is served, read-only, while nothing is configured. */
  readonly servedFolder: string | undefined
  /** Servers that are not started because their entries say so. */
  readonly disabled: readonly DisabledServer[]
  /** Servers configured in other clients, listed while nothing is configured here. */
  readonly found: readonly ServerElsewhere[]
}

/** A configured server whose entry has `"disabled": true`. */
export interface DisabledServer {
  readonly name: ServerName
  /** The file and line of its entry. */
  readonly source: string
}

/** A server that another client has. */
export interface ServerElsewhere {
  readonly name: string
  readonly client: string
  readonly file: string
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
