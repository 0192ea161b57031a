import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { apiClient } from '../../src/api/client.ts'
import { localFile } from '../../src/config/places.ts'
import { answer, person, programEntry } from '../run/person.ts'
import { callerIn, project, questionIn } from '../run/working-in.ts'

it('policy, policy explain and config explain answer for the directory that they are asked in', async () => {
  using ann = person()
  ann.configure({ mcpServers: { probe: programEntry('probe') } })
  const shop = project(ann, 'shop', { host: { callsPerMinute: 9_000 } })
  const own = localFile(ann.places, shop)
  mkdirSync(dirname(own), { recursive: true })
  // as "always" writes it
  writeFileSync(own, JSON.stringify({ policy: { allow: ['probe:write_note'] } }))
  await using running = await ann.run({ endsWhenIdle: true })
  await running.host.accept('probe')
  const connection = JSON.parse(readFileSync(running.runningFile, 'utf8'))
  const [inShop, inNone] = [apiClient({ ...connection, project: shop }), apiClient(connection)]

  const rules = async (api: typeof inShop) => (await api.call('policy')).rules.map(({ text, layer }) => [text, layer])
  assert.deepEqual(await rules(inShop), [['probe:write_note', 'local']])
  assert.deepEqual(await rules(inNone), [])

  const verdict = async (api: typeof inShop) =>
    (await api.call('explainPolicy', { server: 'probe', tool: 'write_note' })).effect
  assert.deepEqual([await verdict(inShop), await verdict(inNone)], ['allow', 'ask'])

  const pace = async (api: typeof inShop) =>
    (await api.call('explainConfig', { key: 'host.callsPerMinute' })).items.map(({ value }) => value)
  const inForce = (root?: string) => running.host.projects.of(root).limits?.callsPerMinute
  assert.deepEqual([await pace(inShop), await pace(inNone)], [[6_000], [6_000]])
  await using mcp = await callerIn(running, shop)
  await mcp.tools.list().all()
  await answer(running, await questionIn(running, 'file', shop), 'once')
  await until(() => inForce(shop) === 9_000)
  assert.deepEqual([await pace(inShop), await pace(inNone), inForce()], [[9_000], [6_000], 6_000])
})

it("a server that all projects share is reached by the person's network and inputs, whatever a project says", async () => {
  using ann = person()
  const far = { url: `http://127.0.0.1:9/\${input:path}` }
  ann.configure({ mcpServers: { far }, inputs: [{ id: 'path', default: 'mine' }] })
  const settings = { network: { proxy: 'http://127.0.0.1:8' }, inputs: [{ id: 'path', default: 'theirs' }] }
  const shop = project(ann, 'shop', settings)
  await using running = await ann.run({ endsWhenIdle: true })
  await running.host.projects.open(shop)
  await answer(running, await questionIn(running, 'file', shop), 'once')
  await until(() => running.state.waiting.length === 0)
  const { launch } = running.host.specs.find(({ name }) => name === 'far') ?? assert.fail()
  assert.ok(launch.kind === 'remote')
  assert.deepEqual([launch.url, launch.network], ['http://127.0.0.1:9/mine', undefined])
})
