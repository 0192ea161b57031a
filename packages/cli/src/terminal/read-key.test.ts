import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { mock, test } from 'node:test'
import { readKey } from './read-key.ts'
import type { Terminal } from './terminal.ts'

test('readKey: a key of the first 400 ms is no answer, nor is Enter, nor a key that is not asked for', async () => {
  mock.timers.enable({ apis: ['Date'] })
  try {
    const input = Object.assign(new PassThrough(), { setRawMode: () => {} })
    const terminal = { input } as unknown as Terminal
    const typed = async (keys: string): Promise<void> => {
      input.write(keys)
      await new Promise(setImmediate)
    }
    let answer: string | undefined
    const reading = readKey(terminal, ['y', 'n'], new AbortController().signal).then((key) => {
      answer = key
    })
    mock.timers.tick(399)
    await typed('y')
    mock.timers.tick(1)
    for (const keys of ['\r', '\n', 'x', 'yn']) await typed(keys)
    assert.equal(answer, undefined)
    await typed('\rN')
    await reading
    assert.equal(answer, 'n')
  } finally {
    mock.timers.reset()
  }
})
