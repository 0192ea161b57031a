import { session2506, session2511 } from '../wire/shapes.ts'
import type { Contestant } from './contestant.ts'

/** The official SDK, version 1. */
export const officialV1: Contestant = {
  name: 'official v1',
  http: [session2511, session2506].map((shape) => ({
    program: 'peers/official-v1/session',
    shape,
    holdsStreams: true,
    reportsProgress: true,
  })),
  stdio: [{ program: 'peers/official-v1/stdio', shape: session2511 }],
  memory: 'peers/official-v1/memory',
  client: 'peers/official-v1/client',
  library: { packages: ['@modelcontextprotocol/sdk'], entry: '@modelcontextprotocol/sdk/server/mcp.js' },
}
