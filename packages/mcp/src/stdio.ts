/** Standard input and output, on runtimes that have processes. */

export type { SpawnLimits, StdioLimits } from './transports/stdio/limits.ts'
export { type StdioServerOptions, serveStdio, stdioServerChannel } from './transports/stdio/server.ts'
export { type ChildChannel, type SpawnOptions, spawnChannel } from './transports/stdio/spawn.ts'
export type { SpawnTarget } from './transports/stdio/target.ts'
