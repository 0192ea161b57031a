import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type DevServer, devServer } from '../../src/auth-dev-server.ts'

const suite = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Goes to a page that leads back to the suite, which may say so before it listens. */
async function visit(page: string, tries = 200): Promise<Response> {
  try {
    return await fetch(page)
  } catch (error) {
    if (tries === 0) throw error
    await pause(50)
    return await visit(page, tries - 1)
  }
}

/** Runs both scenarios, and visits the page that the suite wants a person to visit. */
async function judge({ issuer }: DevServer, clientId: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const args = ['--url', issuer, '--client-id', clientId, '--port', String(await freePort()), '-o', folder]
    const child = spawn(process.execPath, [join(suite, 'dist/index.js'), 'authorization', ...args])
    child.stderr.resume()
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith(`${issuer}/authorize?`)) assert.equal((await visit(line)).status, 200)
    }
    const checks = globSync('**/checks.json', { cwd: folder })
      .flatMap((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')))
      .map(({ id, status, errorMessage = '' }) => `${id}: ${status}${errorMessage}`)
    return checks.sort()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('devServer: both authorization-server scenarios of the official suite pass', async () => {
  await using server = await devServer({
    clients: [{ clientId: 'suite', redirectUris: ['http://127.0.0.1/callback'] }],
    warn: () => {},
  })
  assert.deepEqual(await judge(server, 'suite'), [
    'authorization-code-grant: SUCCESS',
    'authorization-server-metadata-cimd: SUCCESS',
    'authorization-server-metadata: SUCCESS',
  ])
})
