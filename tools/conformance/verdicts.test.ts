import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readVerdicts } from './verdicts.ts'

const time = '2026-01-02T03-04-05-678Z'

test('readVerdicts: scenarios are known by their folders, of either side and however they are named', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'verdicts-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const name of [
    'server-server-initialize',
    'server-ping',
    'tools_call',
    'auth/2025-03-26-oauth-metadata-backcompat',
  ]) {
    mkdirSync(join(folder, `${name}-${time}`), { recursive: true })
    writeFileSync(join(folder, `${name}-${time}`, 'checks.json'), '[{ "id": "it", "status": "SUCCESS" }]')
  }
  assert.deepEqual(
    new Set(readVerdicts(folder).keys()),
    new Set(['server-initialize', 'ping', 'tools_call', 'auth/2025-03-26-oauth-metadata-backcompat']),
  )
  assert.deepEqual(
    [...readVerdicts(folder).values()].flatMap(({ problems }) => problems),
    [],
  )
})

test('readVerdicts: a client that wrote to stderr complained, one that wrote nothing did not', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'verdicts-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const [name, written] of [
    ['loud', 'Error: no such tool\n'],
    ['quiet', ''],
  ] as const) {
    mkdirSync(join(folder, `${name}-${time}`))
    writeFileSync(join(folder, `${name}-${time}`, 'checks.json'), '[{ "id": "it", "status": "SUCCESS" }]')
    writeFileSync(join(folder, `${name}-${time}`, 'stderr.txt'), written)
  }
  const verdicts = readVerdicts(folder)
  assert.deepEqual([verdicts.get('loud')?.complained, verdicts.get('quiet')?.complained], [true, undefined])
})
