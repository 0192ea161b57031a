import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Places } from '../config/places.ts'
import { writeFileWhole } from '../store/write-file.ts'

/** Below the ports that Linux, macOS and Windows give to outgoing connections, any of which could take a kept one. */
const [lowest, highest] = [20_000, 29_999]
const maxTries = 100

/** A host that can listen on a given port. */
interface Listening {
  readonly url: string
  start(port: number): Promise<void>
}

/**
 * Listens on the configured port; without one, on that of the first start, which stays: clients with an
 * address of this host, and pages that a browser has open, find it again.
 */
export async function listenOnKeptPort(host: Listening, places: Places, configured: number | undefined): Promise<void> {
  const kept = configured ?? (await readPort(places))
  await host.start(kept ?? (await freePort()))
  if (kept === undefined) await writeFileWhole(portFile(places), `${new URL(host.url).port}\n`)
}

function portFile({ state }: Pick<Places, 'state'>): string {
  return join(state, 'port')
}

async function readPort(places: Pick<Places, 'state'>): Promise<number | undefined> {
  const port = Number(await readFile(portFile(places), 'utf8').catch(() => ''))
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined
}

/** A port that is free at the moment; 0, which takes any, on a machine where many are taken. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = randomInt(lowest, highest + 1)
    if (await isFree(port)) return port
  }
  return 0
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
