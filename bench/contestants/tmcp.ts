import { session2506, stateless } from '../wire/shapes.ts'
import type { Contestant } from './contestant.ts'

/** tmcp on srvx, the fastest of the ways its documentation shows. */
export const tmcp: Contestant = {
  name: 'tmcp',
  http: [stateless, session2506].map((shape) => ({
    program: 'peers/tmcp/http',
    shape,
    holdsStreams: true,
    reportsProgress: true,
  })),
  stdio: [stateless, session2506].map((shape) => ({ program: 'peers/tmcp/stdio', shape })),
  memory: 'peers/tmcp/memory',
  library: { packages: ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-http', '@tmcp/transport-stdio'], entry: 'tmcp' },
}
