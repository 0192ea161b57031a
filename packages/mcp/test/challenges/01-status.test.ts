import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

/** Programs and how they end: by a code, or by a signal, which a shell shows as a code above 128. */
const programs: readonly [source: string, code: number, reported: 'ok' | 'failed'][] = [
  ['', 0, 'ok'],
  ['process.exit(1)', 1, 'failed'],
  ['process.exit(42)', 42, 'failed'],
  ['process.exit(255)', 255, 'failed'],
  ['throw new Error("x")', 1, 'failed'],
  ['process.kill(process.pid, "SIGKILL")', 137, 'failed'],
  ['process.kill(process.pid, "SIGTERM")', 143, 'failed'],
]
const signals: { readonly [name: string]: number } = { SIGKILL: 9, SIGTERM: 15 }

const runner = server({ name: 'runner', version: '1.0.0', extensions })
  .tool('run', { input: z.object({ source: z.string() }) }, async ({ source }, ctx) => {
    const child = spawn(process.execPath, ['-e', source], { stdio: 'ignore' })
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    ctx.exit(code ?? 128 + (signals[signal ?? ''] ?? 0))
    return signal ?? 'ended'
  })
  .tool('end', { input: z.object({ code: z.number() }) }, ({ code }, ctx) => {
    ctx.exit(code)
    return 'ended'
  })

test('status: how a program ended is what its caller reads', async () => {
  await using mcp = await connect(runner, { extensions: [contract()] })
  const ended = await Promise.all(programs.map(([source]) => mcp.tools.call('run', { source })))
  for (const [at, [source, code, reported]] of programs.entries())
    assert.deepEqual(ended[at]?.status, { code, class: reported }, source)
})

for (const revision of revisions) {
  test(`status [${revision}]: every code comes back as it was given, and what is none is a mistake`, async () => {
    await using mcp = await connect(runner, { extensions: [contract()], revisions: [revision] })
    for (const code of [0, 1, 2, 124, 127, 130, 255, -1, 1_000])
      assert.equal((await mcp.tools.call('end', { code })).status?.code, code)
    const { isError, content } = await mcp.tools.call('end', { code: 1.5 })
    assert.deepEqual(
      [isError, content],
      [true, [{ type: 'text', text: 'Cannot end with exit code 1.5: give a whole number' }]],
    )
  })
}
