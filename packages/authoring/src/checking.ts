/** `trunkline check`: what clients will refuse or cut of a server. */
export { checkServer } from './checking/check-server.ts'
export type { ClientFinding } from './checking/client-finding.ts'
export { type CheckedClient, summarise } from './checking/summarise.ts'
