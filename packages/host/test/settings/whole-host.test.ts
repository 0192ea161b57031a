import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { it } from 'node:test'
import { deferred } from '../../src/relay/deferred.ts'
import { type Person, person } from '../run/person.ts'

/** Writes the file of the project that a host is started in. */
function writeProject({ project }: Person, settings: object): void {
  writeFileSync(join(project, 'trunkline.json'), JSON.stringify(settings))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

it("host.port: that of the person's file, not that of the project in which the host is started", async () => {
  using ann = person()
  const port = await freePort()
  ann.configure({ host: { port } })
  writeProject(ann, { host: { port: 1 } })
  await using running = await ann.run({ flags: {} })
  assert.equal(Number(new URL(running.host.url).port), port)
  assert.deepEqual(
    running.state.problems.map(({ key, problem }) => `${key} ${problem}`),
    ['host.port counts for the whole host, not for a project'],
  )
})

it("host.idleMinutes: a host ends so long after its last caller, by the person's file alone", async (t) => {
  using ann = person()
  ann.configure({ host: { idleMinutes: 2 } })
  writeProject(ann, { host: { idleMinutes: 5_000 } })
  const down = deferred<number>()
  await using running = await ann.run({
    endsWhenIdle: true,
    idle: { everyMs: 10 },
    onDown: () => down.resolve(running.host.idleMs),
  })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 121_000 })
  const idleMs = await down.promise
  assert.ok(idleMs >= 120_000 && idleMs < 5_000 * 60_000, String(idleMs))
})
