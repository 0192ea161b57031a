import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInLanes } from './lanes.ts'

interface Piece {
  readonly name: string
  readonly alone?: boolean
  readonly fails?: boolean
}

async function follow(pieces: readonly Piece[], lanes = 2) {
  const running = new Set<Piece>()
  const seen = { began: [] as string[], most: 0, mostAlone: 0, passed: false }
  const run = async (piece: Piece) => {
    running.add(piece)
    seen.began.push(piece.name)
    seen.most = Math.max(seen.most, running.size)
    seen.mostAlone = Math.max(seen.mostAlone, [...running].filter(({ alone }) => alone).length)
    await new Promise(setImmediate)
    running.delete(piece)
    return !piece.fails
  }
  seen.passed = await runInLanes(pieces, { lanes, isAlone: ({ alone = false }) => alone, run })
  return seen
}

test('runInLanes: as many pieces run at once as there are lanes, in order', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const seen = await follow(names.map((name) => ({ name })))
  assert.deepEqual([seen.began, seen.most, seen.passed], [names, 2, true])
})

test('runInLanes: a piece that must be alone of its kind lets others go before it', async () => {
  const alone = (name: string) => ({ name, alone: true })
  const seen = await follow([alone('a'), alone('b'), { name: 'c' }, alone('d')])
  assert.deepEqual(seen.began.slice(0, 2), ['a', 'c'])
  assert.deepEqual([seen.began.length, seen.mostAlone, seen.passed], [4, 1, true])
})

test('runInLanes: after a failure none begins, and what runs is waited for', async () => {
  const seen = await follow([{ name: 'a', fails: true }, { name: 'b' }, { name: 'c' }, { name: 'd' }])
  assert.deepEqual([seen.began, seen.passed], [['a', 'b'], false])
})
