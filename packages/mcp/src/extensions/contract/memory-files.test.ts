import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryFiles } from './memory-files.ts'

const numbers = (from: number, to: number) => Uint8Array.from({ length: to - from }, (_, at) => from + at)

test('memoryFiles: any part of what was appended in pieces is read', async () => {
  const file = await memoryFiles.open()
  const reused = numbers(0, 10)
  await file.append(reused)
  reused.fill(0)
  for (const [from, to] of [
    [10, 11],
    [11, 40],
    [40, 100],
  ] as const)
    await file.append(numbers(from, to))
  for (const [from, to] of [
    [0, 100],
    [0, 1],
    [5, 15],
    [10, 11],
    [39, 41],
    [99, 100],
    [50, 50],
  ] as const)
    assert.deepEqual(await file.read(from, to), numbers(from, to))
  assert.deepEqual(await file.read(90, 1_000), numbers(90, 100))
  assert.deepEqual(await file.read(200, 300), new Uint8Array(0))
  await file.close()
  assert.deepEqual(await file.read(0, 100), new Uint8Array(0))
})
