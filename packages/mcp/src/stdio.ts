/** Standard input and output, on runtimes that have processes. */

export type { Exit, ProgramOptions } from './transports/stdio/child-program.ts'
export { findMarked, processMark } from './transports/stdio/marked-processes.ts'
export type { MessageReaderOptions } from './transports/stdio/message-reader.ts'
export { type StdioServerOptions, serveStdio, stdioServerChannel } from './transports/stdio/server.ts'
export { type ChildChannel, type SpawnOptions, spawnChannel } from './transports/stdio/spawn.ts'
export type { SpawnTarget } from './transports/stdio/spawn-target.ts'
export type { StdioChannel, StdioOptions } from './transports/stdio/stdio-channel.ts'
export type { SpawnLimits, StdioLimits } from './transports/stdio/stdio-limits.ts'
export { type StreamChannelOptions, streamChannel } from './transports/stdio/stream-channel.ts'
export { superviseGroup } from './transports/stdio/supervisor.ts'
