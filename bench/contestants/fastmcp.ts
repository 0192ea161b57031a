import { session2506, sessionless } from '../wire/shapes.ts'
import type { Contestant } from './contestant.ts'

/** fastmcp, which stands on the official SDK, version 1. */
export const fastmcp: Contestant = {
  name: 'fastmcp',
  http: [
    { program: 'peers/fastmcp/sessionless', shape: sessionless, reportsProgress: true },
    { program: 'peers/fastmcp/session', shape: session2506, reportsProgress: true, holdsStreams: true },
  ],
  stdio: [{ program: 'peers/fastmcp/stdio', shape: session2506 }],
  library: { packages: ['fastmcp'], entry: 'fastmcp' },
}
