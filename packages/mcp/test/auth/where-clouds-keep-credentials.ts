/**
 * Runs where 169.254.169.254 is a real address with a listener, and `metadata.test` is its name: is led there in
 * every way that servers have, and tells what came of it.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { ask, browsing } from './ask.ts'
import type { Defects } from './defects.ts'
import { hostileServer } from './hostile-server.ts'

const address = '169.254.169.254'
const connections: number[] = []

const there = await Promise.all(
  [80, 443].map(async (port) => {
    const server = createServer((socket) => {
      connections.push(port)
      socket.on('error', () => {})
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}')
    })
    await once(server.listen(port, address), 'listening')
    return server
  }),
)

const ways: { readonly [what: string]: (url: string) => Defects } = {
  metadataAt: (url) => ({ metadataAt: url }),
  issuers: (url) => ({ issuers: [url] }),
  metadataRedirect: (url) => ({ metadataRedirect: url }),
  registrationEndpoint: (url) => ({ registrationEndpoint: url }),
  registrationRedirect: (url) => ({ registrationRedirect: url }),
  tokenEndpoint: (url) => ({ tokenEndpoint: url }),
  tokenRedirect: (url) => ({ tokenRedirect: url }),
}

// each visit there is noticed, also by name
await fetch(`http://${address}/`)
await fetch('http://metadata.test/')
const noticed = connections.splice(0).length

const outcomes: { [way: string]: unknown } = {}
for (const [what, defects] of Object.entries(ways)) {
  for (const url of [`http://${address}/`, `https://${address}/`, 'https://metadata.test/', 'http://metadata.test/']) {
    await using server = await hostileServer(defects(url))
    const outcome = await ask(server.url, browsing()).catch((error: unknown) => error)
    outcomes[`${what} ${url}`] = outcome instanceof Error && 'problem' in outcome ? outcome.problem : String(outcome)
  }
}
for (const server of there) server.close()
console.log(JSON.stringify({ noticed, connections, outcomes }))
