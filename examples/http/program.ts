import { serveFromCommandLine } from '@trunkline/mcp'
import { clock } from './clock.ts'

await serveFromCommandLine(clock)
