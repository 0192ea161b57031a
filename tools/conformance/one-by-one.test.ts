import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../lib/files.ts'
import { run } from '../lib/run.ts'

// ends as the suite does, which takes every error for one of its own
const suite = `
import { Command } from 'commander'
const program = new Command()
program.command('server').option('--scenario <name>').option('--url <url>').action(async ({ scenario, url }) => {
  try {
    console.log(scenario + ' at ' + url)
    await undefined
    if (scenario === 'broken') throw new Error('no such scenario')
    process.exit(scenario === 'bad' ? 1 : 0)
  } catch (error) {
    console.error('Server test error:', error)
    process.exit(1)
  }
})
program.parse()
`

test('one-by-one: every scenario runs in one process, and those that fail are named', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'suite-'))
  context.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/commander'), join(folder, 'node_modules/commander'))
  writeFileSync(join(folder, 'index.mjs'), suite)
  const program = [join(root, 'tools/conformance/one-by-one.ts'), join(folder, 'index.mjs')]
  const start = (names: string) => run(process.execPath, [...program, names, 'server', '--url', 'here'])
  const some = await start('good,bad,broken,last')
  assert.equal(some.passed, false)
  assert.deepEqual(some.output.match(/^\w+ at here$|^Scenario \w+ failed$|^Server test error: [^\n]*/gm)?.sort(), [
    'Scenario bad failed',
    'Scenario broken failed',
    'Server test error: Error: no such scenario',
    'bad at here',
    'broken at here',
    'good at here',
    'last at here',
  ])
  assert.deepEqual(await start('good,last'), { passed: true, output: 'good at here\nlast at here\n' })
})
