import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from './run-cli.ts'

// that its own tests pass is shown by tools/smoke/new-project.ts, with the packages as they are packed
test('new: the files of a project, and nothing is written over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'new-'))
  try {
    const { exit, stdout, stderr } = await runCli(['new', 'weather'], { cwd: folder })
    assert.equal(exit, 0, stderr)
    assert.match(stdout, /\+ weather\/src\/server\.ts[\s\S]*cd weather && npm install && npm test/)
    const project = join(folder, 'weather')
    const files = readdirSync(project, { recursive: true }).map(String)
    for (const file of [
      'package.json',
      'tsconfig.json',
      'Dockerfile',
      '.github/workflows/test.yml',
      'src/server.ts',
      'src/main.ts',
      'test/server.test.ts',
    ])
      assert.ok(files.includes(file), file)
    const again = await runCli(['new', 'weather'], { cwd: folder })
    assert.equal(again.exit, 1)
    assert.match(again.stderr, /something in it already/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('new: a name that is none is refused with one that is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'new-'))
  try {
    for (const [args, said] of [
      [['My Server'], /"my-server" would do/],
      [['9lives'], /"lives" would do/],
      [[], /give it a name/],
    ] as const) {
      const { exit, stderr } = await runCli(['new', ...args], { cwd: folder })
      assert.equal(exit, 1)
      assert.match(stderr, said)
    }
    writeFileSync(join(folder, 'file'), '')
    assert.deepEqual(readdirSync(folder), ['file'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
