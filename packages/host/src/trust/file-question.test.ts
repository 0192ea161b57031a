import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Inbox } from '../inbox/inbox.ts'
import type { Answer } from '../inbox/question.ts'
import { openStore } from '../store/store.ts'
import { inboxTables } from '../store/tables/inbox-tables.ts'
import { askToAcceptFile, withdrawFileQuestions } from './file-question.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [inboxTables] })
  const inbox = new Inbox(store)
  return {
    inbox,
    /** The question that is open, once there is one. */
    async question() {
      await until(() => inbox.open.length > 0)
      return inbox.open[0] ?? assert.fail()
    },
    async [Symbol.asyncDispose]() {
      inbox.close()
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

const permits = (hash: string) => ({
  file: '/shop/trunkline.json',
  hash,
  settings: [{ path: ['policy', 'allow'], value: ['shop:*'], line: 1 }],
})
const file = (hash = 'one') => ({ project: '/shop', permits: permits(hash), last: undefined })
const here = { isLocal: true }
const answer = (choice: Answer['choice']): Answer => ({ choice, by: 'terminal' })

describe('askToAcceptFile', () => {
  it('"refuse" keeps the file from counting, and is not asked about again', async () => {
    await using at = opened()
    const asked = askToAcceptFile(at.inbox, file())
    await at.inbox.answer((await at.question()).id, answer('refuse'), here)
    assert.equal(await asked, false)
    assert.equal(await askToAcceptFile(at.inbox, file()), false)
    assert.deepEqual(at.inbox.open, [])
  })

  it('a yes lets exactly this count; another content is another question', async () => {
    await using at = opened()
    const asked = askToAcceptFile(at.inbox, file())
    const { id, detail } = await at.question()
    assert.deepEqual(detail.changes, ['+ policy.allow = ["shop:*"]'])
    await at.inbox.answer(id, answer('always'), here)
    assert.equal(await asked, true)
    const another = askToAcceptFile(at.inbox, file('two'))
    const next = await at.question()
    assert.equal(next.detail.hash, 'two')
    await at.inbox.answer(next.id, answer('refuse'), here)
    assert.equal(await another, false)
  })

  it('a question withdrawn because the file permits something else by now accepts nothing', async () => {
    await using at = opened()
    const asked = askToAcceptFile(at.inbox, file())
    await at.question()
    await withdrawFileQuestions(at.inbox, [permits('two')])
    assert.equal(await asked, false)
  })

  it('no caller can answer it', async () => {
    await using at = opened()
    const asked = askToAcceptFile(at.inbox, file())
    const { id } = await at.question()
    await assert.rejects(at.inbox.answer(id, answer('always'), { isLocal: false }))
    assert.deepEqual(
      at.inbox.open.map((one) => one.id),
      [id],
    )
    await at.inbox.answer(id, answer('refuse'), here)
    assert.equal(await asked, false)
  })
})
