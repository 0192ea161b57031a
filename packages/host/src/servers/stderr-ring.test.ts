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

it('StderrRing: keeps a thousand lines and a thousand log messages, neither of which pushes out the other', () => {
  const ring = new StderrRing()
  ring.add('about to crash\n')
  for (let count = 1; count <= 1_500; count += 1) ring.addLine(`(log) debug ${count}`, 'debug')
  const messages = ring.lines.filter(({ level }) => level === 'debug')
  assert.deepEqual([messages.length, messages[0]?.text], [1_000, '(log) debug 501'])
  assert.equal(ring.lines[0]?.text, 'about to crash')
  for (let count = 1; count <= 1_500; count += 1) ring.add(`${count}\n`)
  assert.equal(ring.lines.length, 2_000)
  const numbers = ring.lines.map(({ number }) => number)
  assert.deepEqual(
    numbers,
    numbers.toSorted((one, other) => one - other),
  )
  assert.equal(ring.last, '1500')
})
