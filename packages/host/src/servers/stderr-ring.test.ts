import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { StderrRing } from './stderr-ring.ts'

const megabyte = 1024 ** 2

it('StderrRing: keeps the beginning of a long line, and no memory of the rest', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const ring = new StderrRing()
  const kept = async () => {
    // memory outside of the heap is given back in the turn after its owner is collected
    for (let round = 0; round < 3; round += 1) {
      collect()
      await new Promise(setImmediate)
    }
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = await kept()
  for (let count = 0; count < 50; count += 1) {
    ring.addLine(Buffer.alloc(megabyte, 'n').toString())
    ring.add(`${Buffer.alloc(megabyte, 'e').toString()}\n`)
  }
  const grown = ((await kept()) - before) / megabyte
  assert.deepEqual(new Set(ring.lines.map(({ text }) => text.length)), new Set([4_096]))
  assert.ok(grown < 10, `${grown.toFixed(1)} MB are kept of 100 lines`)
})
