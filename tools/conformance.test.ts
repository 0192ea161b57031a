import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { root } from './lib/files.ts'
import { run } from './lib/run.ts'

// plays the suite: it lists a scenario for servers and two for clients, and saves the checks that the test wants for the first; the others pass
const program = (checks: object, name: string) => `
const { existsSync, mkdirSync, writeFileSync } = require('node:fs')
const { Command } = require('commander')
const suite = new Command()
for (const name of ['list', 'server', 'client'])
  suite.command(name).argument('[args...]').allowUnknownOption().action((args) => run(name, args))
suite.parse()
function run(side, args) {
  if (side === 'list') {
    const clients = '  - initialize [2025-11-25]\\n  - tools_call [2025-11-25]'
    console.log(args[0] === '--server' ? '  - ${name} [2025-11-25]' : clients)
  } else {
    const alone = args.includes('--scenario')
    const clients = alone ? [args[args.indexOf('--scenario') + 1]] : ['initialize', 'tools_call']
    const passes = [{ id: 'opened', status: 'SUCCESS' }]
    const wasHere = existsSync(__dirname + '/once')
    if (side === 'server') writeFileSync(__dirname + '/once', '')
    const checks = side === 'server' && !(wasHere && process.env.ONLY_ONCE) ? ${JSON.stringify(checks)} : passes
    const complains = side === 'client' && process.env.CLIENT_COMPLAINS
    for (const scenario of checks.length === 0 ? [] : side === 'server' ? ['server-${name}'] : clients) {
      const folder = args[args.indexOf('--output-dir') + 1] + '/' + scenario + '-2026-01-01T00-00-00-000Z'
      mkdirSync(folder)
      writeFileSync(folder + '/checks.json', JSON.stringify(checks))
      if (complains && scenario === 'initialize') writeFileSync(folder + '/stderr.txt', 'Error')
      if (complains && scenario === 'initialize' && alone) {
        console.log('It ended with 1')
        process.exit(1)
      }
    }
    console.log('Tested ' + args[args.indexOf('--url') + 1])
  }
}
`

interface Judging {
  readonly args?: readonly string[]
  readonly name?: string
  readonly env?: NodeJS.ProcessEnv
}

function judge(context: TestContext, checks: readonly object[], { args = [], name = 'ping', env }: Judging = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'suite-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['dist', 'node_modules']) mkdirSync(join(folder, name))
  symlinkSync(join(root, 'node_modules/commander'), join(folder, 'node_modules/commander'))
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'dist/index.js'), program(checks, name))
  const all = ['tools/conformance.ts', '--through', 'direct', '--suite', folder, ...args]
  return run(process.execPath, all, env && { env: { ...process.env, ...env } })
}

const check = (status: string) => ({ id: 'ping-answers', status, description: 'Ping is answered' })

test('conformance: a scenario with nothing but successes passes', async (context) => {
  const { passed, output } = await judge(context, [check('SUCCESS'), check('SKIPPED'), check('INFO')])
  assert.equal(passed, true, output)
  assert.match(output, /ping +pass/)
  assert.match(output, /3 passed, 0 failed, 0 not run/)
})

for (const status of ['FAILURE', 'WARNING']) {
  test(`conformance: one ${status} fails the scenario and the whole run`, async (context) => {
    const { passed, output } = await judge(context, [check('SUCCESS'), check(status)])
    assert.equal(passed, false)
    assert.match(output, /ping +FAIL/)
    assert.match(output, /server ping at 2025-11-25: ping-answers: Ping is answered/)
  })
}

test('conformance: a scenario that fails once is judged again, and both is said', async (context) => {
  const { passed, output } = await judge(context, [check('SUCCESS'), check('FAILURE')], { env: { ONLY_ONCE: '1' } })
  assert.equal(passed, true, output)
  assert.match(output, /server ping at 2025-11-25 passed when it was judged again, alone/)
  assert.match(output, /3 passed, 0 failed, 0 not run/)
})

test('conformance: a client that complained beside others is judged alone, by how it ended', async (context) => {
  const complains = { CLIENT_COMPLAINS: '1' }
  const { passed, output } = await judge(context, [check('SUCCESS')], { env: complains })
  assert.equal(passed, false)
  assert.match(output, /client initialize at 2025-11-25: the suite failed\nIt ended with 1/)
})

test('conformance: a scenario that checked nothing has failed', async (context) => {
  const { passed, output } = await judge(context, [check('SKIPPED')])
  assert.equal(passed, false)
  assert.match(output, /server ping at 2025-11-25: nothing was checked/)
})

test('conformance: a scenario that the suite has yet to write is counted apart, and fails once it checks something', async (context) => {
  const name = 'tasks-status-notifications'
  const { passed, output } = await judge(context, [check('SKIPPED')], { name })
  assert.equal(passed, true, output)
  assert.match(output, /tasks-status-notifications at 2025-11-25 has no check in the suite: Ping is answered/)
  assert.match(output, /2 passed, 0 failed, 0 not run, 1 without a check in the suite/)
  assert.equal((await judge(context, [check('FAILURE')], { name })).passed, false)
})

test('conformance: a scenario that the suite is silent about has failed, and the server was there', async (context) => {
  const { passed, output } = await judge(context, [])
  assert.equal(passed, false)
  assert.match(output, /the suite did not report on it\nTested http:\/\/127\.0\.0\.1:\d+\/mcp/)
})

test('conformance: a name that no scenario has is an error', async (context) => {
  const { passed, output } = await judge(context, [check('SUCCESS')], { args: ['--only', 'pong'] })
  assert.equal(passed, false)
  assert.match(output, /Cannot run "pong": no scenario has such a name/)
})
