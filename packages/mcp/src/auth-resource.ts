/** Authorization on the side of a server over HTTP. Loads OAuth, which nothing else that serves does. */

export type { AuthenticatedCaller, Authenticator, AuthRefusal, AuthRequest } from './auth/resource/authenticator.ts'
export type { DpopOptions } from './auth/resource/dpop/proofs.ts'
export type { IntrospectionOptions } from './auth/resource/introspection.ts'
export type { ProtectLimits } from './auth/resource/limits.ts'
export { type ProtectOptions, protect } from './auth/resource/protect.ts'
export type { SsePaths } from './auth/resource/protected-resources.ts'
