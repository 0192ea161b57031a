/** Authorization on the side of a server over HTTP. Loads OAuth, which nothing else that serves does. */
export { protect } from './auth/resource/protect.ts'
export type * from './auth-resource-types.ts'
