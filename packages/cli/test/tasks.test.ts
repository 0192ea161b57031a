import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { serve, server } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { fixture, runCli } from './run-cli.ts'

const root = join(import.meta.dirname, '../../..')

test('tasks: a tool that only runs as a task is called; one is started, shown, waited for and cancelled', async () => {
  let finish = (_: string): void => {}
  const office = server({ name: 'office', version: '1', onWarning: () => {}, extensions: [tasks({ pollMs: 50 })] })
    .tool('only', { task: 'required' }, () => 'done')
    .tool('report', { task: 'optional' }, (_, ctx) => {
      ctx.status('writing')
      return new Promise<string>((resolve, reject) => {
        finish = resolve
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))
      })
    })
  await using running = await serve(office, { http: 0 })
  const url = String(running.url)
  assert.equal((await runCli(['call', url, 'only'])).stdout, 'done\n')

  const started = await runCli(['call', '--start', url, 'report'])
  assert.equal(started.exit, 0, started.stderr)
  const id = started.stdout.trim()
  const shown = await runCli(['tasks', url, id])
  assert.match(shown.stdout, new RegExp(`^${id} +working +\\S+ +writing$`, 'm'))
  assert.equal(JSON.parse((await runCli(['tasks', '--json', url, id])).stdout).status, 'working')
  finish('the report')
  assert.deepEqual(await runCli(['tasks', '--wait', url, id]), { exit: 0, stdout: 'the report\n', stderr: '' })

  const other = (await runCli(['call', '--start', url, 'report'])).stdout.trim()
  assert.match((await runCli(['tasks', '--cancel', url, other])).stdout, /cancelled/)
  const nothing = await runCli(['tasks', url, 'no-such-task'])
  assert.equal(nothing.exit, 3)
})

test('tasks: in one session with a server that lists them, started and listed', async () => {
  const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const line = ['repl', '--quiet', '--', process.execPath, everything]
  const input = 'call --start simulate-research-query topic=tides\ntasks\n'
  const { exit, stdout, stderr } = await runCli(line, { input })
  assert.equal(exit, 0, stderr)
  assert.match(stdout, /^(\S+)\nTASK .*\n\1 +working /)
})

test('tasks: a server without any says so', async () => {
  const { exit, stderr } = await runCli(['tasks', ...fixture('shop')])
  assert.equal(exit, 3)
  assert.match(stderr, /Cannot use tasks/)
})

test('call --log: log messages of the server go to stderr', async () => {
  const { stdout, stderr } = await runCli(['call', '--log', 'info', 'shout', ...fixture('shop')])
  assert.equal(stdout, 'shouted\n')
  assert.equal(stderr, '[warning] station: Mind the gap\n')
})
