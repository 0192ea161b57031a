import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { exportPKCS8, generateKeyPair } from 'jose'
import '../no-leaks.ts'
import { until } from '../../../../tools/lib/until.ts'
import { serve } from '../../src/index.ts'
import { telemetry } from '../../src/telemetry.ts'
import { canary, secretFor } from '../fixtures/canary.ts'
import { overheard } from '../fixtures/overheard.ts'
import { noProc, processes } from '../processes.ts'
import { gossip } from '../protected/gossip.ts'
import { allMetrics, takeSpans } from '../telemetry/sdk.ts'
import { Issuer } from './issuer.ts'
import { listening, type Seen } from './listening.ts'
import type { Told } from './loud-program.ts'

/** Stands in for what opens the browser: tells what it sees of the processes, and goes where it is sent. */
const opener = `const { appendFileSync, readFileSync } = require('node:fs')
const [page, ...more] = process.argv.slice(2)
const paths = ['self', process.ppid].flatMap((pid) => ['/proc/' + pid + '/cmdline', '/proc/' + pid + '/environ'])
const shown = paths.map((path) => readFileSync(path, 'utf8'))
appendFileSync(__dirname + '/opened', JSON.stringify({ page, more, shown }) + '\\n')
fetch(page)
`

interface Opened {
  readonly page: string
  readonly more: readonly string[]
  readonly shown: readonly string[]
}

const told = {
  client: { clientId: 'client', clientSecret: secretFor('client-secret/+ü') },
  assertion: secretFor('assertion'),
  identity: secretFor('identity'),
  privateKey: await exportPKCS8((await generateKeyPair('ES256', { extractable: true })).privateKey),
}

/**
 * Runs the loud program to its end; returns what other users of the machine see of it and of the processes it
 * started.
 */
async function loud(folder: string, more: Pick<Told, 'url' | 'issuer'>): Promise<string> {
  await writeFile(join(folder, 'xdg-open.cjs'), opener)
  // the first line of a script takes no path with a space in it
  const script = `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'xdg-open.cjs')}' "$@"\n`
  await writeFile(join(folder, 'xdg-open'), script, { mode: 0o755 })
  const env = { ...process.env, PATH: folder }
  const path = join(import.meta.dirname, 'loud-program.ts')
  const program = spawn(process.execPath, [path], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const said: string[] = []
  program.stderr.on('data', (chunk) => said.push(String(chunk)))
  program.stdin.write(`${JSON.stringify({ ...told, ...more, folder: join(folder, 'secrets') })}\n`)
  for await (const line of createInterface({ input: program.stdout })) {
    said.push(line)
    if (line !== 'done') continue
    said.push(...(await visible(program)))
    program.stdin.end()
  }
  return said.join('\n')
}

/** The part of a program, and of what it started, that others on the machine see. */
async function visible({ pid = 0 }: ChildProcess): Promise<readonly string[]> {
  const relatives = () => processes().filter((entry) => entry.pid === pid || entry.parent === pid)
  // an opener is given the page, so it tells by itself what else is seen of it; one that is slow to end is not looked at
  await until(() => relatives().every(({ command }) => !command.includes('xdg-open')), 'every page to be opened')
  const family = relatives()
  assert.ok(family.length > 0)
  return family.flatMap((entry) => [entry.command, readFileSync(`/proc/${entry.pid}/environ`, 'utf8')])
}

/** The secrets that were made on the way, by kind. */
function made(seen: readonly Seen[], folder: string): { readonly [what: string]: readonly string[] } {
  const posted = (name: string) => seen.flatMap(({ body }) => new URLSearchParams(body).get(name) ?? [])
  const kept = globSync('secrets/**/*.json', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'))
  return {
    state: seen.flatMap(({ url }) => url.searchParams.get('state') ?? []),
    verifier: posted('code_verifier'),
    'assertion of the client': posted('client_assertion'),
    'password of the client': seen.flatMap(({ headers }) => headers.authorization?.split(' ')[1] ?? []),
    proof: seen.flatMap(({ headers }) => headers.dpop?.toString() ?? []),
    'key of the proofs': kept.flatMap((text) => JSON.parse(text).key?.d ?? []),
    'key of the client': told.privateKey.split('\n').filter((line) => line.length > 40),
  }
}

function assertKept(secrets: ReturnType<typeof made>, text: string): void {
  for (const [what, values] of Object.entries(secrets)) {
    assert.ok(values.length > 0, `no ${what} was recorded`)
    for (const value of values) assert.ok(!text.includes(value), `a ${what} was found`)
  }
  const at = text.indexOf(canary)
  assert.equal(at, -1, text.slice(Math.max(at - 200, 0), at + 100))
}

test('canary: no secret of either side is printed, shown, measured or put into an address', {
  skip: noProc,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-'))
  const seen: Seen[] = []
  // tokens are over at once, so that each request renews them
  const issuer = new Issuer({ expiresIn: 0, clientSecret: secretFor('registered') })
  const authorization = await listening('issuer', seen, (arrived, response) => issuer.answer(arrived, response))
  issuer.origin = authorization.origin
  try {
    const heard = await overheard(async () => {
      const introspection = { clientId: 'resource', clientSecret: secretFor('introspection') }
      const auth = { issuer: issuer.origin, introspection, dpop: { nonce: true } }
      await using place = await serve(gossip().use(telemetry()), { http: 0, auth })
      const said = await loud(folder, { url: place.url, issuer: issuer.origin })
      return [said, inspect(takeSpans(), { depth: 10 }), inspect(await allMetrics(), { depth: 10 })]
    })
    for (const through of ['signIn', 'signIn as anybody', 'clientCredentials with a key', 'enterpriseManaged'])
      assert.match(heard, new RegExp(`^${through} is through$`, 'm'))
    assert.match(heard, /seen .*ann/)
    assert.match(heard, /'mcp.client.operation.duration'/)
    assert.ok(seen.some(({ body }) => body.includes('grant_type=refresh_token')))

    const { state, ...rest } = made(seen, folder)
    assertKept({ state: state ?? [], ...rest }, heard)
    for (const { url } of seen) assertKept(rest, url.href)

    const opened: Opened[] = readFileSync(join(folder, 'opened'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // two who sign in, each once more for what the guarded tool takes
    assert.equal(opened.length, 4)
    for (const { page, more, shown } of opened) {
      assertKept(rest, page)
      assert.deepEqual(more, [])
      assert.ok(new URL(page).searchParams.has('code_challenge'))
      // the opener is given the page, and nothing else is visible
      assertKept({ state: state ?? [], ...rest }, shown.join('\n').replaceAll(page, ''))
    }
  } finally {
    await authorization.close()
    await rm(folder, { recursive: true })
  }
})
