import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInLanes } from './lanes.ts'

interface Piece {
  readonly name: string
  readonly after?: string
  readonly fails?: boolean
}

async function follow(pieces: readonly Piece[], lanes = 2) {
  const running = new Set<Piece>()
  const seen = { began: [] as string[], most: 0, passed: false }
  const run = async (piece: Piece) => {
    running.add(piece)
    seen.began.push(piece.name)
    seen.most = Math.max(seen.most, running.size)
    await new Promise(setImmediate)
    running.delete(piece)
    return !piece.fails
  }
  seen.passed = await runInLanes(pieces, { lanes, waits, run })
  return seen
}

function waits({ after }: Piece, unfinished: readonly Piece[]): boolean {
  return unfinished.some(({ name }) => name === after)
}

test('runInLanes: as many pieces run at once as there are lanes, in order', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const seen = await follow(names.map((name) => ({ name })))
  assert.deepEqual([seen.began, seen.most, seen.passed], [names, 2, true])
})

test('runInLanes: a piece that waits for another begins once that is over, and lets others go before it', async () => {
  const seen = await follow([{ name: 'a' }, { name: 'b', after: 'a' }, { name: 'c' }, { name: 'd', after: 'c' }])
  assert.deepEqual(seen.began.slice(0, 2), ['a', 'c'])
  assert.deepEqual([seen.began.length, seen.most, seen.passed], [4, 2, true])
})

test('runInLanes: pieces that wait for each other are an error', async () => {
  const circle = [
    { name: 'a', after: 'b' },
    { name: 'b', after: 'a' },
  ]
  await assert.rejects(follow(circle), /Cannot go on: the pieces left wait for each other/)
})

test('runInLanes: after a failure none begins, and what runs is waited for', async () => {
  const seen = await follow([{ name: 'a', fails: true }, { name: 'b' }, { name: 'c' }, { name: 'd' }])
  assert.deepEqual([seen.began, seen.passed], [['a', 'b'], false])
})
