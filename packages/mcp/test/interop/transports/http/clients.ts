import { StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Driver } from '../../driver.ts'
import { v1 } from '../../drivers/v1.ts'
import { v2 } from '../../drivers/v2.ts'
import { all, handshakes } from '../../revisions.ts'
import { ourClient } from './our-client.ts'
import { proposing } from './proposing.ts'

type Start = (url: URL, revision: string) => Promise<Driver>

const streamOf = (url: URL): URL => new URL('/sse', url)
const v1Single: Start = (url, revision) => v1(proposing(new V1Transport(url) as Transport, revision))
const v1Stream: Start = (url, revision) => v1(proposing(new SSEClientTransport(streamOf(url)), revision))
const v2Single: Start = (url, revision) => v2(new V2Transport(url), revision)
const ourStream: Start = (url, revision) => ourClient(streamOf(url), revision)

/** Every client that can be used against our server, with the revisions it can be held to. */
export const clients: readonly { name: string; start: Start; revisions: readonly string[] }[] = [
  { name: 'v1 client', start: v1Single, revisions: handshakes },
  { name: 'v1 client on a stream', start: v1Stream, revisions: handshakes },
  { name: 'v2 client', start: v2Single, revisions: all },
  { name: 'our client', start: ourClient, revisions: all },
  { name: 'our client on a stream', start: ourStream, revisions: handshakes },
]
