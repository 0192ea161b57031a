import type { RequestOptions } from '../../../client/client-request.ts'
import type { SkillLimits } from '../skill-limits.ts'

/** Options for a client that loads skills. */
export interface ClientSkillOptions {
  readonly limits?: SkillLimits
}

/** Options for loading one skill. */
export interface LoadSkillOptions extends Pick<RequestOptions, 'signal' | 'timeoutMs' | 'maxTotalMs'> {
  /** Loads a skill whose files cannot be verified, because the server makes them as it goes. @default false */
  readonly allowDynamic?: boolean
}
