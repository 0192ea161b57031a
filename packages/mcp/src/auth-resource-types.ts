/** The types of a protected server. */
export type {
  AnswerHeaders,
  AuthenticatedCaller,
  Authentication,
  Authenticator,
  AuthRefusal,
  AuthRequest,
} from './auth/resource/authenticator.ts'
export type { DpopOptions } from './auth/resource/dpop/proofs.ts'
export type { IntrospectionOptions } from './auth/resource/introspection.ts'
export type { ProtectOptions } from './auth/resource/protect.ts'
export type { ProtectLimits } from './auth/resource/protect-limits.ts'
export type { SsePaths } from './auth/resource/protected-resources.ts'
export type { NetworkLimits } from './auth/shared/network.ts'
