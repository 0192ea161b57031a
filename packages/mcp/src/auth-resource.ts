/** Authorization for servers over HTTP. The only server entry that loads OAuth. */
export { protect } from './auth/resource/protect.ts'
export type * from './auth-resource-types.ts'
