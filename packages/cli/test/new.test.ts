import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { build, dist } from '../../../tools/build.ts'
import { root } from '../../../tools/lib/files.ts'
import { runCli } from './run-cli.ts'

test('new: a project that passes its own tests, and that every client takes', async () => {
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
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    await build()
    installDependencies(project, { ...manifest.dependencies, ...manifest.devDependencies })
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
    // a test that runs another runner must not be taken for a part of it
    const { NODE_TEST_CONTEXT, ...env } = process.env
    const tested = execFileSync('npm', ['test'], { cwd: project, encoding: 'utf8', env: { ...env, PATH: path } })
    assert.match(tested, /pass 3\b/)
    assert.match(tested, /fail 0\b/)
    const checked = await runCli(['check', '--json', '--', process.execPath, join(project, 'src/main.ts')])
    assert.equal(checked.exit, 0, checked.stderr)
    const again = await runCli(['new', 'weather'], { cwd: folder })
    assert.equal(again.exit, 1)
    assert.match(again.stderr, /something in it already/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Installs what the project says it needs: the library as it is published, all else from this repository. */
function installDependencies(project: string, needed: { readonly [name: string]: string }): void {
  const modules = join(project, 'node_modules')
  cpSync(dist, join(modules, '@trunkline/mcp'), { recursive: true })
  for (const name of Object.keys(needed)) {
    const target = join(root, name === 'trunkline' ? 'packages/cli' : `node_modules/${name}`)
    assert.ok(existsSync(target), name)
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    if (!existsSync(join(modules, name))) symlinkSync(target, join(modules, name))
  }
  symlinkSync(join(root, 'node_modules/.bin'), join(modules, '.bin'))
}

test('new: a name that is none is refused with one that is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'new-'))
  try {
    for (const [args, said] of [
      [['My Server'], /"my-server" would do/],
      [['9lives'], /"lives" would do/],
      [[], /give it one name/],
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
