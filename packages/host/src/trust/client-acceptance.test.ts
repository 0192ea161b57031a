import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Principals } from '../gateway/principals/principals.ts'
import { Inbox } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import { openStore } from '../store/store.ts'
import { inboxTables } from '../store/tables/inbox-tables.ts'
import { principalTables } from '../store/tables/principal-tables.ts'
import { ClientAcceptance, type ClientAcceptanceOptions } from './client-acceptance.ts'

const program = (path: string) => ({ key: path, path })
const editor = { name: 'editor', program: program('/usr/bin/editor') }
const impostor = { name: 'editor', program: program('/tmp/impostor') }

function opened(options: ClientAcceptanceOptions = {}) {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [principalTables, inboxTables] })
  const principals = new Principals(store)
  const inbox = new Inbox(store)
  return {
    principals,
    inbox,
    clients: new ClientAcceptance({ store, principals, inbox }, options),
    /** The next question that is asked. */
    asked: () =>
      new Promise<Question>((present) => inbox.addDoor({ name: 'test', isLocal: true, present, withdraw() {} })),
    async [Symbol.asyncDispose]() {
      inbox.close()
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('ClientAcceptance', () => {
  it('lets a client wait that was never added, and takes it once a person accepts it', async () => {
    await using at = opened()
    const waiting = await at.clients.connect(editor)
    assert.match(waiting.waits ?? '', /"editor", started by "\/usr\/bin\/editor", was not accepted yet/)
    const question = await at.asked()
    assert.equal(question.why, 'no client of this name was ever added')
    const ended = new EventTarget()
    at.principals.onEnded(() => ended.dispatchEvent(new Event('ended')))
    const letGo = once(ended, 'ended')
    await at.inbox.answer(question.id, { choice: 'once', by: 'terminal' }, { isLocal: true })
    await letGo
    assert.equal((await at.clients.connect(editor)).waits, undefined)
  })

  it('binds a client that a person added to the first program under its name; another one waits', async () => {
    await using at = opened()
    const { principal } = await at.principals.make({ name: 'editor', isApprover: true })
    assert.equal((await at.clients.connect(editor)).id, principal.id)
    const waiting = await at.clients.connect(impostor)
    assert.notEqual(waiting.id, principal.id)
    assert.deepEqual([waiting.isApprover, waiting.waits !== undefined], [false, true])
    const { why, detail } = await at.asked()
    assert.equal(why, 'another program than before comes under this name')
    assert.deepEqual([detail.program, detail.before], ['/tmp/impostor', ['/usr/bin/editor']])
    assert.equal((await at.clients.connect(editor)).id, principal.id)
  })

  it('takes a client whose entry a person wrote, with the first program alone', async () => {
    await using at = opened({ isInstalled: async (name) => name === 'editor' })
    assert.equal((await at.clients.connect(editor)).waits, undefined)
    assert.notEqual((await at.clients.connect(impostor)).waits, undefined)
    assert.notEqual((await at.clients.connect({ ...editor, name: 'other' })).waits, undefined)
  })

  it('refuses with the fix if no person can be asked', async () => {
    await using at = opened({ unattended: true })
    await assert.rejects(at.clients.connect(editor), /nobody can be asked here; .*"trunkline clients add editor"/)
  })
})
