/** Tasks of several processes on a real server. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { taskScenes } from '../../../mcp/test/cluster/task-scenes.ts'
import { textOf } from '../../../mcp/test/cluster/task-shop.ts'
import { type PostgresStores, postgresStores } from '../src/index.ts'
import { serverPrograms, startEngine, type TestEngine } from './engine.ts'

const skip = lacking('postgres', serverPrograms() !== undefined)
const program = programFile(new URL('task-process.ts', import.meta.url))
/** So long that a process on a busy machine renews it in time. */
const shortLeaseMs = 2_000
let engine: TestEngine
let schemas = 0

before(async () => {
  if (!skip) engine = await startEngine()
})
after(async () => {
  if (!skip) await engine[Symbol.asyncDispose]()
})

taskScenes({
  name: 'PostgreSQL',
  skip,
  shortLeaseMs,
  async open() {
    const schema = `tasks_${++schemas}`
    const open = () => postgresStores(engine.url, { schema })
    const all = await Promise.all([open(), open(), open()])
    return {
      at: (process) => all[process] as PostgresStores,
      async [Symbol.asyncDispose]() {
        for (const stores of all) await stores.close()
      },
    }
  },
})

/** Starts a process; what it prints is added to a log. */
async function startProcess(number: number, log: string[]) {
  const env = { ...process.env, ADDRESS: engine.url, NUMBER: `${number}`, LEASE_MS: `${shortLeaseMs}` }
  const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let [printed, url] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (printed + chunk).split('\n')
    printed = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('http')) url = line
      else log.push(line)
    }
  })
  await until(() => url !== '', `process ${number} to listen`)
  return {
    url,
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('cluster: a process that is stopped by SIGSTOP beyond its lease, and woken after another has ended its task, does and writes nothing more (rule 4)', {
  skip,
}, async () => {
  const log: string[] = []
  await using first = await startProcess(0, log)
  await using second = await startProcess(1, log)
  await using third = await startProcess(2, log)
  await using there = await connect(new URL(first.url), { extensions: [tasks()] })
  const { id = '' } = await there.tools.start('work', {})
  await until(() => log.includes('paid at 0'), 'the effect to be stored')
  first.child.kill('SIGSTOP')
  await using here = await connect(new URL(second.url), { extensions: [tasks()] })
  await using beside = await connect(new URL(third.url), { extensions: [tasks()] })
  const results = await Promise.all([here, beside].map(async (mcp) => (await mcp.tasks.attach(id)).result()))
  const [one, other] = results.map(textOf)
  assert.equal(one, other)
  const taker = /^done at ([12])$/.exec(String(one))?.[1] ?? assert.fail(String(one))
  await using stores = await postgresStores(engine.url)
  const stored = async () => [await stores.tasks.load(id), await stores.tasks.entries(id)]
  const before = await stored()
  first.child.stdin.write('work on\n')
  first.child.kill('SIGCONT')
  await until(() => log.includes('no send at 0'), 'the stopped process to find that it lost the task')
  assert.deepEqual(log, ['pay at 0', 'paid at 0', `send at ${taker}`, 'no send at 0'])
  assert.deepEqual(await stored(), before)
  assert.equal(textOf(await (await there.tasks.attach(id)).result()), one)
})
