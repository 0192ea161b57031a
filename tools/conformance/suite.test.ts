import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { root } from '../lib/files.ts'
import { oneByOne } from './plan.ts'
import { Suite } from './suite.ts'

// ends as the suite does, which takes every error for one of its own
const program = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
const program = new Command()
program.command('server').option('--scenario <name>').option('--url <url>').option('--spec-version <date>').option('--output-dir <path>').action(run)
program.parse()
async function run({ scenario, url, outputDir }) {
  try {
    console.log(scenario + ' at ' + url + ' in ' + process.pid)
    if (scenario === 'crash') setImmediate(() => { throw new Error('gone') })
    if (scenario === 'crash') await new Promise(() => {})
    const folder = outputDir + '/server-' + scenario + '-2026-01-01T00-00-00-000Z'
    mkdirSync(folder)
    writeFileSync(folder + '/checks.json', JSON.stringify([{ id: String(process.pid), status: 'SUCCESS' }]))
    await undefined
    if (scenario === 'broken') throw new Error('no such scenario')
    process.exit(scenario === 'bad' ? 1 : 0)
  } catch (error) {
    console.error('Server test error:', error)
    process.exit(1)
  }
}
`
const fixtures = { serverUrl: 'here', client: 'node', manyClients: 'node' }

function suiteIn(context: TestContext): Suite {
  const folder = mkdtempSync(join(tmpdir(), 'suite-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['dist', 'node_modules']) mkdirSync(join(folder, name))
  symlinkSync(join(root, 'node_modules/commander'), join(folder, 'node_modules/commander'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'dist/index.js'), program)
  return new Suite(folder)
}

function runOf(...names: readonly string[]) {
  return oneByOne({ side: 'server', revision: '2025-11-25' }, names)
}

test('Suite.judge: scenarios run in one process, and each that fails does so with what was said', async (context) => {
  using suite = suiteIn(context)
  const verdicts = await suite.judge(runOf('good', 'bad', 'broken', 'last'), fixtures)
  const again = await suite.judge(runOf('good'), fixtures)
  const processes = [...verdicts.values(), ...again.values()].flatMap(({ passed }) => passed)
  assert.equal(new Set(processes.filter((one) => one !== undefined)).size, 1)
  assert.deepEqual(again.get('good')?.problems, [])
  assert.deepEqual([verdicts.get('good')?.problems, verdicts.get('last')?.problems], [[], []])
  for (const name of ['bad', 'broken']) assert.match(String(verdicts.get(name)?.problems), /^the suite failed\n/)
  const said = String(verdicts.get('broken')?.problems)
  assert.match(said, /^broken at here in \d+$/m)
  assert.match(said, /^Server test error: Error: no such scenario$/m)
  assert.doesNotMatch(said, /The suite ended/)
})

test('Suite.judge: a scenario that ends the suite has failed with its last words, and the next one runs', async (context) => {
  using suite = suiteIn(context)
  const [problem = ''] = (await suite.judge(runOf('crash'), fixtures)).get('crash')?.problems ?? []
  assert.match(problem, /^the suite did not report on it\n[\s\S]*Error: gone[\s\S]*\nThe suite ended with 1$/)
  assert.deepEqual((await suite.judge(runOf('good'), fixtures)).get('good')?.problems, [])
})
