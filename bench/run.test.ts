import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entrant, Group, Plan } from './measure/measurement.ts'
import { NotThereYet } from './process/program.ts'
import { runMeasurement } from './run.ts'

const plan: Plan = {
  quick: true,
  contestants: [],
  rounds: 3,
  roundMs: 1,
  loadHttp: () => assert.fail('Nothing is loaded'),
}
const silent = { say: () => {}, done: () => {} }

function run(entrants: readonly Entrant[], group: Partial<Group> = {}) {
  const groups = () => [{ title: 'group', unit: 'calls/s', better: 'more', entrants, ...group }] as const
  return runMeasurement({ name: 'test', title: '', groups }, plan, silent)
}

function entrant(contestant: string, turns: string[], sample: (turn: number) => number): Entrant {
  let turn = 0
  return {
    contestant,
    variant: '',
    open: async () => ({
      sample: async () => {
        turns.push(contestant)
        turn += 1
        return { value: sample(turn) }
      },
      close: async () => void turns.push(`${contestant} closed`),
    }),
  }
}

test('runMeasurement: entrants take turns and are closed', async () => {
  const turns: string[] = []
  const rows = await run([entrant('a', turns, (turn) => turn), entrant('b', turns, (turn) => turn * 10)])
  assert.deepEqual(turns, ['a', 'b', 'a', 'b', 'a', 'b', 'a closed', 'b closed'])
  assert.deepEqual(
    rows.map(({ rounds }) => rounds),
    [
      [1, 2, 3],
      [10, 20, 30],
    ],
  )
})

test('runMeasurement: heats come one after the other', async () => {
  const turns: string[] = []
  const entrants = ['a', 'b', 'c'].map((name, at) => ({
    ...entrant(name, turns, (turn) => turn),
    variant: at === 1 ? 'y' : 'x',
  }))
  const rows = await run(entrants, { rounds: 2, heat: ({ variant }) => variant })
  assert.deepEqual(turns, ['a', 'c', 'a', 'c', 'a closed', 'c closed', 'b', 'b', 'b closed'])
  assert.deepEqual(
    rows.map(({ contestant }) => contestant),
    ['a', 'b', 'c'],
  )
})

test('runMeasurement: warm-ups do not count', async () => {
  const [row] = await run([entrant('a', [], (turn) => turn)], { rounds: 2, warmUps: 2 })
  assert.deepEqual(row?.rounds, [3, 4])
})

test('runMeasurement: an entrant that fails is out, without figures, and the others go on', async () => {
  const turns: string[] = []
  const failing = entrant('a', turns, (turn) => {
    if (turn === 2) throw new Error('broke')
    return turn
  })
  const [row, other] = await run([failing, entrant('b', turns, () => 1)])
  assert.deepEqual([row?.rounds, row?.absent], [[], 'failed: broke'])
  assert.deepEqual(other?.rounds, [1, 1, 1])
  assert.deepEqual(turns.slice(-2), ['a closed', 'b closed'])
})

test('runMeasurement: an entrant that does not come up says so', async () => {
  const open = () => Promise.reject(new NotThereYet('no such module'))
  const [row] = await run([{ contestant: 'a', variant: '', open }])
  assert.equal(row?.absent, 'not there yet: no such module')
})
