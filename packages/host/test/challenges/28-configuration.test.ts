import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { it } from 'node:test'
import { apiClient } from '../../src/api-entry.ts'
import { readJson } from '../../src/config/document/json.ts'
import { effectiveConfig } from '../../src/config/effective.ts'
import { environmentDocument, flagsDocument } from '../../src/config/layers/environment.ts'
import { type LayerName, layerNames, readLayer } from '../../src/config/layers/layer.ts'
import { localFile, projectFile } from '../../src/config/places.ts'
import { usualValue } from '../../src/config/schema/settings.ts'
import { person } from '../run/person.ts'

const key = ['pipe', 'maxSteps'] as const
const saidBy = (layer: LayerName): number => 20 + layerNames.indexOf(layer)

/** A layer that says one thing, in the form that it has. */
function layerOf(name: LayerName) {
  const value = saidBy(name)
  if (name === 'environment') return readLayer(name, environmentDocument({ TRUNKLINE_PIPE_MAX_STEPS: String(value) }))
  if (name === 'flags') return readLayer(name, flagsDocument({ 'pipe.maxSteps': String(value) }))
  return readLayer(name, readJson(`/${name}.json`, JSON.stringify({ pipe: { maxSteps: value } })))
}

it('every pair of layers: the stronger wins, and a setting of none has its default', () => {
  const accept = () => true
  assert.equal(effectiveConfig([], accept).settings.pipe?.maxSteps, undefined)
  assert.equal(usualValue(key), 100)
  for (const [at, weaker] of layerNames.entries()) {
    assert.equal(effectiveConfig([layerOf(weaker)], accept).settings.pipe?.maxSteps, saidBy(weaker), weaker)
    for (const stronger of layerNames.slice(at + 1)) {
      const { settings } = effectiveConfig([layerOf(weaker), layerOf(stronger)], accept)
      assert.equal(settings.pipe?.maxSteps, saidBy(stronger), `${weaker} and ${stronger}`)
    }
  }
})

it('a host explains the origin of a value, and the values it hid', async () => {
  using ann = person()
  const write = (file: string, keepDays: number): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify({ ledger: { keepDays } }))
  }
  ann.configure({ ledger: { keepDays: saidBy('user') } })
  write(projectFile(ann.project), saidBy('project'))
  write(localFile(ann.places, ann.project), saidBy('local'))
  const environment = { ...ann.machine.environment, TRUNKLINE_LEDGER_KEEP_DAYS: String(saidBy('environment')) }
  for (const flags of [{}, { 'ledger.keepDays': saidBy('flags') }]) {
    const machine = { ...ann.machine, environment }
    await using running = await ann.run({ machine, flags: { 'host.port': 0, ...flags } })
    const api = apiClient({ ...JSON.parse(readFileSync(running.runningFile, 'utf8')), project: ann.project })
    const { items } = await api.call('explainConfig', { key: 'ledger.keepDays' })
    const winner = 'ledger.keepDays' in flags ? 'flags' : 'environment'
    assert.equal(items[0]?.value, saidBy(winner))
    const lines = items[0]?.lines.join('\n') ?? ''
    assert.match(lines, /keepDays counts for the whole host, not for a project/)
    for (const layer of ['user', winner] as const) assert.match(lines, new RegExp(String(saidBy(layer))), lines)
    assert.equal(running.host.retention.limits.keepDays, saidBy(winner))
  }
})
