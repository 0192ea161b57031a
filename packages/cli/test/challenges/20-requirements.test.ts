import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { runCli } from '../run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'needs-'))
const needy = programFile(new URL('../fixtures/needy.ts', import.meta.url))
writeFileSync(join(folder, 'there.txt'), '')

const all = {
  env: ['HOME'],
  programs: { git: '>=1.0' },
  runtime: { node: '>=20' },
  files: ['there.txt'],
  network: ['localhost'],
}

/** Each need that is missing, with what is said of it. */
const missing: readonly [needs: object, cause: string, said: RegExp][] = [
  [{ ...all, env: ['HOME', 'SHOP_KEY'] }, 'variable', /It wants the variable SHOP_KEY/],
  [
    { ...all, programs: { 'git-that-is-not': '>=1' } },
    'no binary',
    /needs "git-that-is-not" >=1, and there is no such program/,
  ],
  [{ ...all, programs: { git: '>=900' } }, 'version', /needs "git" >=900, and there is \d+\.\d+\.\d+/],
  [{ ...all, runtime: { node: '>=900' } }, 'wrong Node', /needs "node" >=900, and there is \d+/],
  [{ ...all, files: ['gone.txt'] }, 'file', /needs the file "gone\.txt"/],
  [{ ...all, network: ['nothing.invalid'] }, 'DNS', /needs to reach "nothing\.invalid"/],
]

interface Told {
  readonly works: boolean
  readonly cause?: string
  readonly line?: string
  readonly command?: string
  readonly notes?: readonly string[]
}

async function examined(script: string) {
  const program = ['--', process.execPath, script]
  const { stdout } = await runCli(['doctor', '--json', '--timeout=20', ...program], { cwd: folder })
  const [told] = JSON.parse(stdout).servers
  return told as Told
}

describe('a server with each of its needs missing in turn', () => {
  after(() => rmSync(folder, { recursive: true }))

  it('is not even started when its package says so beforehand, and doctor explains', async () => {
    const witness = join(folder, 'started')
    writeFileSync(
      join(folder, 'server.mjs'),
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(witness)}, '')\n`,
    )
    for (const [requires, cause, said] of missing) {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', mcp: { requires } }))
      const told = await examined('server.mjs')
      assert.deepEqual([told.works, told.cause], [false, cause], told.line)
      assert.match(told.line ?? '', said)
      assert.ok((told.command ?? '') !== '')
    }
    assert.throws(() => rmSync(witness), /ENOENT/)
  })

  it('tells of them when it runs, and works when all are there', async () => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop' }))
    const told = await examined(needy)
    assert.equal(told.works, true, told.line)
    const [requires] = missing[4] ?? []
    writeFileSync(join(folder, 'needs.json'), JSON.stringify(requires))
    const lacking = await examined(needy)
    assert.deepEqual([lacking.works, lacking.cause], [false, 'file'])
    assert.match(lacking.line ?? '', /needs the file "gone\.txt"/)
  })

  it('names needs that cannot be checked: an account, and that it replaces itself', async () => {
    const replaces =
      'It says that it replaces itself with newer versions from npm:needy; to keep it as you accepted it, set NEEDY_UPDATES=off under "env" of this server'
    writeFileSync(join(folder, 'needs.json'), JSON.stringify({ ...all, credentials: ['github.com'] }))
    const { works, notes } = await examined(needy)
    const account = 'It says that it needs an account at github.com; only you can tell whether it has one'
    assert.deepEqual([works, notes], [true, [account, replaces]])
    const words = ['doctor', '--timeout=20', '--', process.execPath, needy]
    const { exit, stdout } = await runCli(words, { cwd: folder })
    assert.equal(exit, 0)
    assert.match(stdout, /works\n {2}It says that it needs an account at github\.com/)
  })
})
