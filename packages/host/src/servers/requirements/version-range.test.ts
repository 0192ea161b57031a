import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fulfils, lowestMajor } from './version-range.ts'

test('fulfils: the ranges that packages write', () => {
  const yes: readonly [string, string][] = [
    ['v24.1.0', '>=22.13'],
    ['v22.13.0', '>= 22.13.0'],
    ['v20.19.1', '^20.19.0 || ^22.12.0 || >=23'],
    ['v23.0.0', '^20.19.0 || ^22.12.0 || >=23'],
    ['v18.4.0', '18'],
    ['v18.4.0', '18.x'],
    ['v18.4.2', '~18.4.1'],
    ['v18.4.0', '>=16 <19'],
    ['v18.4.0', '*'],
  ]
  for (const [version, range] of yes) assert.equal(fulfils(version, range), true, `${version} ${range}`)
  const no: readonly [string, string][] = [
    ['v20.1.0', '>=22.13'],
    ['v22.12.9', '>=22.13'],
    ['v21.0.0', '^20.19.0 || ^22.12.0 || >=23'],
    ['v22.11.0', '^20.19.0 || ^22.12.0 || >=23'],
    ['v19.0.0', '>=16 <19'],
    ['v18.5.0', '~18.4.1'],
    ['v17.0.0', '18'],
  ]
  for (const [version, range] of no) assert.equal(fulfils(version, range), false, `${version} ${range}`)
})

test('lowestMajor: the version to install', () => {
  assert.equal(lowestMajor('>=22.13'), 22)
  assert.equal(lowestMajor('^20.19.0 || >=22.12'), 22)
  assert.equal(lowestMajor('18.x'), 18)
  assert.equal(lowestMajor('*'), undefined)
})
