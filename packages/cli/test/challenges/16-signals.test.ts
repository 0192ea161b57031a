import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { isAlive, newFolder, type ProgramResult, wrapped } from '../wrap/wrapped.ts'

/** A folder with a file in which programs note what reaches them. */
function witnessed() {
  const folder = newFolder()
  const witness = join(folder, 'witness')
  writeFileSync(witness, '')
  return {
    folder,
    env: { WITNESS: witness },
    forget: () => writeFileSync(witness, ''),
    async read(wanted: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = wanted.exec(readFileSync(witness, 'utf8'))
        if (match) return match
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

test('wrap: a cancelled call asks with SIGINT, then SIGTERM, then ends the whole group', async () => {
  const { folder, env, forget, read } = witnessed()
  const tools = ['obey', 'ignore', 'leave'].map((name) => ({ name, command: [name] }))
  await using at = await wrapped({ tools, env }, { folder })
  for (const tool of ['obey', 'ignore']) {
    forget()
    const stop = new AbortController()
    const call = at.client.tools.call(tool, {}, { signal: stop.signal })
    const pids = (await read(/runs (\d+)(?: (\d+))?\n/)).slice(1).filter(Boolean).map(Number)
    stop.abort(new Error('enough'))
    await assert.rejects(call, /enough/)
    await read(tool === 'obey' ? /SIGINT/ : /SIGINT[\s\S]*SIGTERM/)
    await until(() => !pids.some(isAlive))
  }
  const { structuredContent } = await at.client.tools.call('leave', {})
  assert.equal((structuredContent as ProgramResult).exitCode, 0)
  const left = Number((await read(/left (\d+)/))[1])
  await until(() => !isAlive(left))
})

test('wrap: a running program gets the signals that its description declares, and no others', {
  timeout: 120_000,
}, async () => {
  const { folder, env, read } = witnessed()
  const tools = [
    { name: 'reload', command: ['reload'], signals: ['SIGUSR2'] },
    { name: 'obey', command: ['obey'], signals: ['SIGHUP'] },
  ]
  await using at = await wrapped({ tools, env }, { folder })
  const send = (tool: string, signal: string) => at.client.tools.call('send_signal', { tool, signal })
  assert.match(JSON.stringify(await send('reload', 'SIGUSR2')), /none of it runs/)
  const call = at.client.tools.call('reload', {})
  await read(/runs/)
  assert.equal((await send('reload', 'SIGHUP')).isError, true)
  assert.equal((await send('reload', 'SIGKILL')).isError, true)
  assert.deepEqual((await send('reload', 'SIGUSR2')).structuredContent, { sent: 1 })
  assert.equal(((await call).structuredContent as ProgramResult).stdout, 'reloaded\n')
})
