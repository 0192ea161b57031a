import type { Act } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { ProjectScope } from '../gateway/scope.ts'
import type { Profile } from '../gateway/view.ts'
import type { RecordLevel } from '../ledger/payloads.ts'
import type { PipeLimits } from '../pipe/pipe-limits.ts'
import { Policy, type PolicyOptions } from '../policy/policy.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { hashOf } from '../text/json-hash.ts'

/** Limits for the callers of one project. */
export interface CallerLimits {
  /** Acts of one principal in any minute. */
  readonly callsPerMinute: number
  /** Bytes of a result that is passed on; a larger one is kept aside, unless its server's entry says otherwise. */
  readonly maxResultBytes: number
  /** The part of arguments and results that is kept, unless the server's entry says otherwise. */
  readonly record: RecordLevel
  readonly pipe: Required<PipeLimits>
}

/** Settings for the callers of one project. */
export interface ProjectSettings {
  readonly specs: readonly ServerSpec[]
  readonly policy: PolicyOptions
  readonly profiles?: { readonly [name: string]: Profile }
  /** True if a tool stops as soon as its definition changes. @default false */
  readonly isStrict?: boolean
  /** @default those of the host */
  readonly limits?: CallerLimits
  /** Folders that servers get as roots. @default those of the caller, else the project */
  readonly roots?: readonly string[] | undefined
}

/** One project as callers see it. */
export class HostProject implements ProjectScope {
  readonly project: string | undefined
  specs: readonly ServerSpec[] = []
  policy = new Policy({ rules: [] })
  /** Changes whenever a rule does. */
  policyVersion = ''
  isStrict = false
  limits: CallerLimits | undefined
  /** Folders that the person set as roots. */
  roots: readonly string[] | undefined
  /** Time of the last use by a caller, as in `Date.now()`. */
  usedAt = Date.now()
  #servers: readonly ServerKey[] = []
  #profiles: ReadonlyMap<string, Profile> = new Map()

  constructor(project: string | undefined) {
    this.project = project
  }

  servers(): readonly ServerKey[] {
    return this.#servers
  }

  profile(name: string): Profile | undefined {
    return this.#profiles.get(name)
  }

  /** Puts other settings in force, from the next act on. */
  set(
    { specs, policy, profiles = {}, isStrict = false, limits, roots }: ProjectSettings,
    mode: PolicyOptions['mode'] = 'enforce',
  ): void {
    this.setPolicy({ mode, ...policy })
    this.setProfiles(profiles)
    this.isStrict = isStrict
    this.limits = limits
    this.roots = roots
    this.setServers(specs)
  }

  setServers(specs: readonly ServerSpec[]): void {
    this.specs = specs
    this.#servers = specs.map(({ name }) => name)
  }

  setPolicy(options: PolicyOptions): void {
    this.policy = new Policy({ folderOf: (act) => this.folderOf(act), ...options })
    const { mode, doubt, rules } = options
    this.policyVersion = hashOf([mode, doubt, rules.map(({ effect, text }) => [effect, text])])
  }

  /** The folder that the server of an act runs in; undefined if it runs on another machine. */
  folderOf(act: Act): string | undefined {
    const key = act.serverKey
    const launch = this.specs.find(({ name }) => name === key)?.launch
    return launch?.kind === 'program' ? launch.cwd : undefined
  }

  setProfiles(profiles: { readonly [name: string]: Profile }): void {
    this.#profiles = new Map(Object.entries(profiles))
  }
}
