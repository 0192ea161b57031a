import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { revisions as spoken } from '../../src/testing.ts'
import { besideRepository } from '../corpora.ts'
import { cellsOf, citationsIn, gaps, idleExceptions } from './coverage.ts'
import { elsewhere } from './elsewhere.ts'
import { places } from './harness/places.ts'
import { manifest, topics } from './manifest.ts'
import { type Requirement, revisions, revisionsOf } from './requirement.ts'

const transports = places.map(([transport]) => transport)

test('every requirement is verified wherever it holds, and only requirements are cited', () => {
  const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'))
  const citations = sources.flatMap((name) => citationsIn(readFileSync(join(import.meta.dirname, name), 'utf8')))
  assert.deepEqual(gaps(manifest, citations, transports), [])
})

test('gaps names what is not verified, where, and what is cited but not required', () => {
  const rules = ['P1']
  const some = {
    'a: both': { says: 'A', rules, first: '2025-11-25' },
    'b: newest': { says: 'B', rules, first: '2026-07-28', transports: ['stdio', 'http'] },
    'c: nobody': { says: 'C', rules, last: '2024-11-05', transports: ['stdio'] },
    'd: nowhere': { says: 'D', rules, first: '2026-07-28', transports: ['stdio'], except: { stdio: 'so' } },
  } as const
  assert.deepEqual(gaps(some, [['a: both', 'b: newest'], ['d: nowhere'], ['e: what']], ['memory', 'stdio']), [
    'there is no requirement "e: what"',
    'nothing verifies "a: both" in 2025-11-25 memory',
    'nothing verifies "a: both" in 2025-11-25 stdio',
    'nothing verifies "a: both" in 2026-07-28 memory',
    'nothing verifies "c: nobody" in 2024-11-05 stdio',
    'nothing verifies "d: nowhere" in 2026-07-28',
  ])
})

test('as many requirements are verified over each transport as before, so that none is lost unnoticed', () => {
  const all: readonly Requirement[] = Object.values(manifest)
  const cells = transports.map((transport) => [transport, all.flatMap((one) => cellsOf(one, [transport])).length])
  assert.deepEqual(Object.fromEntries(cells), {
    memory: 1052,
    stdio: 1064,
    http: 246,
    'http-session': 606,
    'http-sse': 181,
    websocket: 1054,
  })
})

test('every exception takes something away', () => {
  assert.deepEqual(idleExceptions(manifest), [])
  const rules = ['P1']
  const idle = { 'a: old': { says: 'A', rules, last: '2024-11-05', except: { http: 'too new', stdio: 'so' } } } as const
  assert.deepEqual(idleExceptions(idle), ['"a: old" over http'])
})

test('citationsIn finds what is cited one by one and together, and nothing that is commented out', () => {
  const source =
    "verifies('a: b', async () => {})\nverifies(\n  ['c: d', 'e: f'],\n  async () => {})\n// verifies('g: h')\n"
  assert.deepEqual(citationsIn(source), [['a: b'], ['c: d', 'e: f']])
})

test('no requirement is in two topics, and each holds in some revision', () => {
  const ids = Object.values(topics).flatMap((topic) => Object.keys(topic))
  assert.equal(ids.length, Object.keys(manifest).length)
  for (const [id, requirement] of Object.entries(manifest)) assert.ok(revisionsOf(requirement).length > 0, id)
})

test('the revisions of the manifest are those that are spoken', () => {
  assert.deepEqual(revisions.toReversed(), spoken)
})

const protocol = besideRepository('PROTOCOL.md')
const skip = lacking('beside', protocol !== undefined)

test('every rule of PROTOCOL.md is cited by a requirement or left out for a reason', { skip }, () => {
  const text = readFileSync(protocol ?? '', 'utf8')
  const rules = [...text.matchAll(/^(L?\d+)\. /gm)].map(([, rule = '']) => (rule.startsWith('L') ? rule : `P${rule}`))
  const sections = [...text.matchAll(/^#{2,3} (\d\.\d+) /gm)].map(([, section]) => section)
  const cited = new Set(Object.values(manifest).flatMap((requirement) => requirement.rules as readonly string[]))
  const left = Object.values(elsewhere).flat()
  const both = left.filter((rule) => cited.has(rule))
  assert.deepEqual(both, [], 'left out although a requirement cites it')
  const numbered = [...cited].filter((rule) => !sections.includes(rule))
  assert.deepEqual(numbered.concat(left).sort(), [...new Set(rules)].sort())
})
