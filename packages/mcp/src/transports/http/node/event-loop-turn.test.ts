import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { afterServing, atEndOfTurn } from './event-loop-turn.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('atEndOfTurn: requests of one turn are served in a row, and only then answered', async () => {
  const happened: string[] = []
  for (const name of ['a', 'b']) {
    atEndOfTurn(() => {
      happened.push(`${name} served`)
      afterServing(() => happened.push(`${name} answered`))
    })
  }
  assert.deepEqual(happened, [])
  await turn()
  assert.deepEqual(happened, ['a served', 'b served', 'a answered', 'b answered'])
})

test('atEndOfTurn: a request that comes while others are served waits for the next turn', async () => {
  const happened: string[] = []
  atEndOfTurn(() => {
    atEndOfTurn(() => happened.push('second'))
    happened.push('first')
  })
  await turn()
  assert.deepEqual(happened, ['first'])
  await turn()
  assert.deepEqual(happened, ['first', 'second'])
})

test('afterServing: an answer that comes while no request is served is given at once', () => {
  let answered = false
  afterServing(() => {
    answered = true
  })
  assert.ok(answered)
})

test('atEndOfTurn: one that throws stops neither those behind it nor answers that wait', async () => {
  const program = `
    import { afterServing, atEndOfTurn } from ${JSON.stringify(new URL('event-loop-turn.ts', import.meta.url).href)}
    process.on('uncaughtException', ({ message }) => console.log(message))
    atEndOfTurn(() => afterServing(() => console.log('first')))
    atEndOfTurn(() => { throw new Error('thrown') })
    atEndOfTurn(() => afterServing(() => console.log('third')))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  assert.deepEqual(stdout.trim().split('\n').toSorted(), ['first', 'third', 'thrown'])
})
