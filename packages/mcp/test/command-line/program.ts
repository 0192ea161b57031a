import { serveFromCommandLine, server } from '@trunkline/mcp'

/** A program that leaves it to its command line how it is served. */
await serveFromCommandLine(server({ name: 'program', version: '1.0.0' }).tool('hello', {}, () => 'hi'))
