import { all, handshakes } from '../../revisions.ts'
import type { Remembering } from './listen.ts'
import { hostV1, hostV1Sse } from './v1.ts'
import { hostV2 } from './v2.ts'

/** Every server that our client can be used against, with the revisions it speaks, newest first. */
export const servers: readonly { name: string; start: () => Promise<Remembering>; revisions: readonly string[] }[] = [
  { name: 'a v1 server', start: hostV1, revisions: handshakes },
  { name: 'a v1 server on a stream', start: hostV1Sse, revisions: handshakes },
  { name: 'a v2 server', start: hostV2, revisions: all },
]
