import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hostEnvironment, recordEnvironment, recordedEnvironment } from '../../src/config/host-environment.ts'
import { missingPackage } from '../../src/servers/programs/fetch-problem.ts'
import { authority, startProxy, upstreamName } from '../challenges/proxy-world.ts'
import { textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { packVersion } from './package.ts'
import { callerOf, type Person, person } from './person.ts'
import { packageRegistry } from './registry.ts'

/** The machine as a host sees it that a client started, after a person's terminal had these variables. */
async function startedByClient(ann: Person, variables: { readonly [name: string]: string }) {
  const { environment } = ann.machine
  await recordEnvironment(ann.places, { ...environment, ...variables })
  const recorded = await recordedEnvironment(ann.places)
  return { ...ann.machine, environment: hostEnvironment(environment, 'client', recorded?.variables) }
}

test('a package is installed through the recorded proxy and with the recorded certificate, and without it the fix is said', async () => {
  using ann = person()
  using folder = temporaryFolder()
  const signed = authority(folder.path)
  await using proxy = await startProxy('ada:secret')
  await using registry = await packageRegistry('@acme/notes', { notes: 'notes.js' }, { ...signed, name: upstreamName })
  registry.publish('1.0.0', packVersion(ann.home, { version: '1.0.0', description: 'Reads a note' }))
  writeFileSync(join(ann.home, '.npmrc'), `registry=${registry.url}\nfetch-retries=0\n`)
  ann.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', '@acme/notes@^1'] } } })
  const HTTPS_PROXY = proxy.url.replace('://', '://ada:secret@')
  {
    await using running = await ann.run({ machine: await startedByClient(ann, { HTTPS_PROXY }) })
    await assert.rejects(running.host.accept('notes'), {
      message:
        'Cannot install "@acme/notes@^1": the certificate of the registry is signed by an authority that is not known here; set NODE_EXTRA_CA_CERTS (SSL_CERT_FILE for Python) to the file of that authority, then run "trunkline down" and "trunkline up"',
    })
    assert.deepEqual(registry.fetched, [])
  }
  const { port, host } = new URL(registry.url)
  writeFileSync(join(folder.path, '.npmrc'), `registry=https://127.0.0.1:${port}\nfetch-retries=0\n`)
  const launch = { kind: 'program', command: 'npx', args: ['-y', '@acme/notes'], cwd: folder.path, env: {} } as const
  assert.equal((await missingPackage(launch, 60_000))?.cause, 'TLS')
  const machine = await startedByClient(ann, { HTTPS_PROXY, NODE_EXTRA_CA_CERTS: signed.ca })
  await using running = await ann.run({ machine })
  await running.host.accept('notes')
  assert.deepEqual(registry.fetched, ['1.0.0'])
  assert.deepEqual(proxy.asked.at(-1), { asked: `CONNECT ${host}`, passes: true })
  await using mcp = await callerOf(running)
  assert.equal(textOf(await mcp.tools.call('notes__read_note', {})), '1.0.0 ')
})
