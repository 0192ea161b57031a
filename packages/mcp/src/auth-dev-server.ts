/** An authorization server for development and tests. It authorizes every request: never use it in production. */
export type { DevClient } from './auth/dev-server/clients.ts'
export { type DevServer, type DevServerLimits, type DevServerOptions, devServer } from './auth/dev-server/dev-server.ts'
export type { IssuedGrant } from './auth/dev-server/grants.ts'
