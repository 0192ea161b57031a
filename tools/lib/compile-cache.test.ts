import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { keepCompiled } from './compile-cache.ts'

test('keepCompiled: what a process compiled is taken by the next one, also after its folder was moved', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'compile-cache-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const started = (place: string): string => {
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: join(folder, place, 'cache') }
    keepCompiled(env)
    const program = [join(folder, place, 'program.mts')]
    return spawnSync(process.execPath, program, {
      encoding: 'utf8',
      env: { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    }).stderr
  }
  mkdirSync(join(folder, 'here'))
  writeFileSync(join(folder, 'here/program.mts'), 'const one: number = 1\nexport { one }\n')
  assert.doesNotMatch(started('here'), /was accepted/)
  renameSync(join(folder, 'here'), join(folder, 'there'))
  assert.match(started('there'), /code cache for ESM .*program\.mts was accepted/)
})
