import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../lib/files.ts'
import { bundlesVariable, programFile } from '../lib/program-file.ts'
import { bundlePrograms } from './bundled-programs.ts'

const source = join(root, 'packages/mcp/test/fixtures/tools.ts')

test('bundlePrograms: tests start bundles for the time of a run, and sources without one', async (t) => {
  // the run that this test belongs to has bundles too
  const around = process.env[bundlesVariable]
  t.after(() => around !== undefined && Object.assign(process.env, { [bundlesVariable]: around }))
  delete process.env[bundlesVariable]
  assert.equal(programFile(source), source)
  const bundles = await bundlePrograms()
  const bundle = programFile(source)
  assert.match(bundle, /test-programs.run-.*tools\.mjs$/)
  // it knows that it was started, and not imported: only then does it tell what it remembers
  assert.match(spawnSync(process.execPath, [bundle], { encoding: 'utf8' }).stderr, /remembered at the end/)
  bundles[Symbol.dispose]()
  assert.ok(!existsSync(bundle))
  assert.equal(programFile(source), source)
})

test('bundlePrograms: a program that another one imports, or that reads files beside it, starts from its sources', async (t) => {
  const around = process.env[bundlesVariable]
  t.after(() => around !== undefined && Object.assign(process.env, { [bundlesVariable]: around }))
  using _bundles = await bundlePrograms()
  assert.match(programFile(join(root, 'packages/mcp/test/fixtures/asking-too.ts')), /\.mjs$/)
  assert.match(programFile(join(root, 'packages/mcp/test/fixtures/asking.ts')), /asking\.ts$/)
  assert.match(programFile(join(root, 'packages/mcp/test/fixtures/skills.ts')), /skills\.ts$/)
})
