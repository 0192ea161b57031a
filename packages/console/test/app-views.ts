/** The pages of the apps in `views`, made as their servers bring them along, and a host that they must not reach. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled, pageWith } from '../../mcp/test/extensions/apps/site.ts'

const views = ['official', 'hostile', 'leaver', 'framer', 'flooder', 'busy', 'crowd', 'declaring'] as const

/** Addresses that an app tries to reach. */
export interface Reachable {
  readonly origin: string
  readonly udp: number
}

/** Writes the pages into a folder. */
export async function writeViews({ origin, udp }: Reachable): Promise<{ readonly folder: string } & Disposable> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-views-'))
  for (const view of views) {
    const code = await bundled(new URL(`./views/${view}.ts`, import.meta.url).href)
    writeFileSync(join(folder, `${view}.html`), pageWith(`const evil = ${JSON.stringify({ origin, udp })};\n${code}`))
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A host that counts who comes, by TCP and by UDP. */
export async function evilHost() {
  const reached: string[] = []
  const http = createServer(({ url = '' }, response) => {
    reached.push(url)
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('1')
  })
  http.on('upgrade', ({ url = '' }, socket) => {
    reached.push(url)
    socket.destroy()
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const udp = createSocket('udp4').on('message', () => reached.push('datagram'))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  return {
    origin: `http://evil.test:${(http.address() as AddressInfo).port}`,
    udp: udp.address().port,
    reached,
    async [Symbol.asyncDispose]() {
      udp.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
