/** The local API as a page sees it: addresses and types, and nothing that needs Node. */
export { type ApiRequest, requestOf } from './api/api-request.ts'
export type { HostEvent } from './api/events.ts'
export type { RouteAnswer, RouteInput, RouteName } from './api/routes.ts'
export { proofHeader, type WantedProof } from './api/wanted-proof.ts'
