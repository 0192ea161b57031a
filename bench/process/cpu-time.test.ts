import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { metered } from './cpu-time.ts'
import { benchFolder } from './places.ts'

const calls = 200

test('metered: divides the processor time that a round cost the server by its calls', async () => {
  const flags = ['--import', join(benchFolder, 'probe', 'cpu.ts')]
  const child = fork(join(benchFolder, 'raw', 'http.ts'), { execArgv: flags, env: { ...process.env, PORT: '0' } })
  const exited = once(child, 'exit').then(() => {})
  const server = { child, exited, lastWords: () => 'it left', end: () => exited }
  try {
    const { cpuMicros } = await metered(server, async () => {
      const answers = on(child, 'message')
      for (let call = 0; call < calls; call += 1) child.send('work')
      for (let call = 0; call < calls; call += 1) await answers.next()
      return { calls, seconds: 1, p50Ms: 1, p99Ms: 1 }
    })
    assert.ok(cpuMicros > 0 && cpuMicros < 1_000_000, `${cpuMicros} µs a call`)
  } finally {
    child.kill()
    await exited
  }
})
