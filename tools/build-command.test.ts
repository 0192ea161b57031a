import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publishedLauncher } from './build-command.ts'
import { root } from './lib/files.ts'

test('publishedLauncher: loads what was emitted, on the oldest Node that can run it', () => {
  const text = readFileSync(join(root, 'packages/cli/bin/trunkline.js'), 'utf8')
  const published = publishedLauncher(text)
  assert.match(published, /'\.\.\/lib\/command\/main\.js'/)
  assert.doesNotMatch(published, /src\/main\.ts/)
  assert.throws(() => publishedLauncher('another file'), /Cannot build the command/)
})
