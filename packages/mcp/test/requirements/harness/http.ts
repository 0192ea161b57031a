import type { Channel } from '../../../src/index.ts'
import { dialHttp } from '../../../src/transports/http/client/dial-http.ts'
import { sseChannel } from '../../../src/transports/http/client/sse-channel.ts'
import { websocketChannel } from '../../../src/transports/http/client/websocket-channel.ts'
import { ClusterHost } from './cluster/cluster-host.ts'
import type { Host, PostedHost } from './http/host.ts'
import { signed } from './http/letter.ts'
import { NodeHost } from './http/node-host.ts'
import type { OpenWire, WireOptions } from './http/open-wire.ts'
import { Pool } from './http/pool.ts'
import { sessionWire } from './http/session-wire.ts'
import { socketHost } from './http/socket-host.ts'
import { stageSocket } from './http/socket-stage.ts'
import { socketWire } from './http/socket-wire.ts'
import { sseWire } from './http/sse-wire.ts'
import { stageHttp, stageSse } from './http/stage.ts'
import { statelessWire } from './http/stateless-wire.ts'
import type { Place } from './place.ts'

/** Serves a fixture in this process or, where `CLUSTER` is the address of an engine, in several behind a balancer. */
function startHost(fixture: string): Promise<PostedHost> {
  return process.env.CLUSTER === undefined ? NodeHost.start(fixture) : ClusterHost.start(fixture)
}

/** Each message stands for itself. */
export const http: Place = placeOf({
  start: startHost,
  dial: dialAddress,
  wire: statelessWire,
  stage: stageHttp,
})

/** Messages belong to the session that a handshake opened. */
export const httpSession: Place = placeOf({
  start: startHost,
  dial: dialAddress,
  wire: sessionWire,
  stage: stageHttp,
})

/** The server speaks on one stream. */
export const httpSse: Place = placeOf({
  start: startHost,
  dial: ({ url }, { principal, fetch }) =>
    sseChannel(new URL('/sse', url), { headers: signed(principal), ...(fetch && { fetch }) }),
  wire: sseWire,
  stage: stageSse,
})

/** Both speak on one socket. */
export const websocket: Place = placeOf({
  start: socketHost,
  dial: ({ url }) => websocketChannel(url),
  wire: socketWire,
  stage: stageSocket,
})

function dialAddress({ url }: Host, { principal, fetch }: WireOptions): Channel {
  return dialHttp(url, { headers: signed(principal), ...(fetch && { fetch }) })()
}

interface Way<Served extends Host> extends Pick<Place, 'stage'> {
  start(fixture: string): Promise<Served>
  dial(host: Served, options: WireOptions): Channel
  wire(host: Served, options: WireOptions): OpenWire
}

/** Servers in this process that listen; where a test does not need one that is fresh, it gets one that served another. */
function placeOf<Served extends Host>({ start, dial, wire, stage }: Way<Served>): Place {
  const pool = new Pool(start)
  return {
    async reach(fixture, { fresh = false, ...options }) {
      const host = await (fresh ? pool.fresh(fixture) : pool.take(fixture))
      let opened: OpenWire | undefined
      return {
        channel: () => dial(host, options),
        wire() {
          opened = wire(host, options)
          return opened
        },
        async finish() {
          await opened?.close()
          await host.settled()
          if (fresh) await pool.end(host)
          else pool.give(fixture, host)
        },
      }
    },
    stage,
    distrust: () => pool.distrust(),
    close: () => pool.close(),
  }
}
