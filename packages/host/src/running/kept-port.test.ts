import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { person } from '../../test/run/person.ts'
import { listenOnKeptPort } from './kept-port.ts'

/** Listens as a host does, and ends; returns the port it had. */
async function portOfStart(places: ReturnType<typeof person>['places'], configured?: number): Promise<number> {
  const server = createServer()
  const portOf = () => (server.address() as AddressInfo).port
  const host = {
    get url() {
      return `http://127.0.0.1:${portOf()}/`
    },
    async start(port: number) {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
  await listenOnKeptPort(host, places, configured)
  const port = portOf()
  server.close()
  await once(server, 'close')
  return port
}

describe('the port of a host', () => {
  it('is below the ports of outgoing connections, stays, and is not one that is configured for once', async () => {
    using ann = person()
    const first = await portOfStart(ann.places)
    assert.ok(first >= 20_000 && first < 30_000, String(first))
    assert.equal(await portOfStart(ann.places), first)
    assert.notEqual(await portOfStart(ann.places, 0), first)
    assert.equal(await portOfStart(ann.places), first)
  })
})
