import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileProblems } from './check-profiles.ts'
import type { Value } from './document/document.ts'
import { readJson } from './document/json.ts'
import { effectiveConfig } from './effective.ts'
import { readLayer } from './layers/layer.ts'
import { describeProblem } from './problem.ts'

function problemsOf(profiles: Value): readonly string[] {
  const text = JSON.stringify({ profiles }, null, 1)
  const config = effectiveConfig([readLayer('user', readJson('/trunkline.json', text))], () => true)
  return [...config.problems, ...profileProblems(config, new Set(['mail', 'files']))].map(describeProblem)
}

test('profileProblems: a profile of servers and tools that are there, or may be, has none', () => {
  const small = { servers: ['mail'], tools: ['mail:*', 'files:read_*', 'f*:x', '*:list', '*'], search: true }
  assert.deepEqual(problemsOf({ small, 'all-of_it': {} }), [])
})

test('profileProblems: names the line, the key and the fix of each mistake', () => {
  assert.deepEqual(problemsOf({ 'my work': { servers: ['mail', 'mial'], tools: ['files:*', 'web:fetch'] } }), [
    '/trunkline.json:4: profiles."my work" has no address; name it with letters, digits, "_" and "-" alone',
    '/trunkline.json:6: profiles."my work".servers.1 names no server: "mial"; write "mail" or "files"',
    '/trunkline.json:10: profiles."my work".tools.1 names no server: "web"; write "mail" or "files"',
  ])
  const fix = 'write it as "server:tool", with * for any characters'
  assert.deepEqual(problemsOf({ small: { tools: ['files', 'mail:'] } }), [
    `/trunkline.json:5: profiles.small.tools.0 is no pattern of tools; ${fix}`,
    `/trunkline.json:6: profiles.small.tools.1 is no pattern of tools; ${fix}`,
  ])
})
