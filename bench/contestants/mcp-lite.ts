import { session2506, sessionless } from '../wire/shapes.ts'
import type { Contestant } from './contestant.ts'

/** mcp-lite, which answers fastest when asked for JSON alone. */
export const mcpLite: Contestant = {
  name: 'mcp-lite',
  http: [
    { program: 'peers/mcp-lite/sessionless', shape: sessionless, accept: 'application/json', reportsProgress: true },
    {
      program: 'peers/mcp-lite/session',
      shape: session2506,
      accept: 'application/json',
      reportsProgress: true,
      holdsStreams: true,
    },
  ],
  library: { packages: ['mcp-lite'], entry: 'mcp-lite' },
}
