/** One process of a cluster that serves fixtures, as the process that has started it says. `CLUSTER` is the address of the engine. */
import { once } from 'node:events'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { ClusterStores } from '../../../../src/http.ts'
import type { Server, ServerTypes } from '../../../../src/index.ts'
import { type NodeListener, toNode } from '../../../../src/node.ts'
import type { Board } from '../../../fixtures/board.ts'
import { principalHeader } from '../http/node-host.ts'
import { Talk } from './talk.ts'
import { type WatchedStores, watched } from './watched-stores.ts'

interface Served {
  readonly definition: Server<ServerTypes>
  readonly listener: NodeListener
  readonly http: HttpServer
  readonly stores: ClusterStores
  readonly settle: WatchedStores['settle']
  readonly handlers: Map<string, (detail: string) => number>
  answering: number
}

const hosts = new Map<string, Served>()
let posts = 0

const parent = new Talk(process, {
  open,
  close,
  settle: (host: string) => hosts.get(host)?.settle(),
  hear: (host: string, subject: string, detail: string) => hosts.get(host)?.handlers.get(subject)?.(detail) ?? 0,
  live(host: string) {
    const { definition, answering = 0 } = hosts.get(host) ?? {}
    return { answering, ...definition?.live }
  },
})

/** Serves the fixture of a file; resolves with its address. */
async function open(host: string, file: string): Promise<string> {
  const handlers: Served['handlers'] = new Map()
  const { create } = (await import(pathToFileURL(file).href)) as { create(board: Board): Server<ServerTypes> }
  const definition = create(boardOf(host, handlers))
  const opened = await storesOf(host)
  const { stores, settle } = watched(opened)
  const listener = toNode(definition, { sse: true, cluster: stores })
  const http = createServer((message, response) => serve(host, message, response))
  hosts.set(host, { definition, listener, http, stores: opened, settle, handlers, answering: 0 })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

async function close(host: string): Promise<void> {
  const served = hosts.get(host)
  if (!served) return
  hosts.delete(host)
  const closed = once(served.http, 'close')
  served.http.close()
  served.http.closeAllConnections()
  await served.listener.close()
  await closed
  await served.stores.close()
}

/** Stores of a host alone, in the engine that all share. */
async function storesOf(host: string): Promise<ClusterStores> {
  const address = process.env.CLUSTER ?? ''
  if (/^rediss?:/.test(address)) return (await import('@trunkline/redis')).redisStores(address, { prefix: host })
  return (await import('@trunkline/postgres')).postgresStores(address, { schema: host, poolSize: 1 })
}

function boardOf(host: string, handlers: Served['handlers']): Board {
  return {
    emit: (name, detail = '') => parent.tell('emit', host, name, detail),
    next: (name) => parent.ask('next', host, name),
    add: (name, amount) => parent.ask('add', host, name, amount),
    on: (subject, handler) => void handlers.set(subject, handler),
    tell: (subject, detail = '') => parent.ask('tellAll', host, subject, detail),
  }
}

function serve(host: string, message: IncomingMessage, response: ServerResponse): void {
  const served = hosts.get(host)
  if (!served) return void response.destroy()
  const { [principalHeader]: principal } = message.headers
  const post = ++posts
  const whenOver = once(response, 'close').then(() => {
    served.answering -= 1
    parent.tell('over', host, post)
  })
  served.answering += 1
  // what is refused by its headers may be answered before it is read
  const whenRead = Promise.race([once(message, 'end'), whenOver])
  const told = whenRead.then(() => message.method === 'POST' && parent.tell('posted', host, post))
  // the sender is gone before all was read, which the end of the response tells
  told.catch(() => {})
  served.listener.handle(message, response, typeof principal === 'string' ? { principal } : {})
}

process.once('disconnect', () => process.exit())
