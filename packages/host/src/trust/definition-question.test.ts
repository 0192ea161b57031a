import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Catalogue } from '../catalogue/catalogue.ts'
import { Inbox } from '../inbox/inbox.ts'
import { openStore } from '../store/store.ts'
import { catalogueTables } from '../store/tables/catalogue-tables.ts'
import { inboxTables } from '../store/tables/inbox-tables.ts'
import { DefinitionQuestions, withdrawDefinitionQuestions } from './definition-question.ts'

/** A host with the server "notes", accepted at version 1; `restart` makes all of it anew from the store. */
async function withNotes() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [catalogueTables, inboxTables] })
  const parts = () => {
    const catalogue = new Catalogue(store)
    const inbox = new Inbox(store)
    return { catalogue, inbox, questions: new DefinitionQuestions(inbox, catalogue) }
  }
  const first = parts()
  const offer = (version: number, { catalogue } = first) =>
    catalogue.offer('notes', { tools: [tool(version)], prompts: [], templates: [] })
  await first.catalogue.acceptCommand('notes', 'c')
  await offer(1)
  await first.catalogue.pin('notes')
  return {
    ...first,
    offer,
    restart: () => {
      first.inbox.close()
      return parts()
    },
    async [Symbol.asyncDispose]() {
      first.inbox.close()
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

const tool = (version: number) => ({ name: 'read_note', description: `Version ${version}`, inputSchema: {} })
const shown = (catalogue: Catalogue) => catalogue.find('notes', 'tool', 'read_note')?.definition.description
const yes = { choice: 'always', by: 'terminal' } as const
const here = { isLocal: true }

describe('DefinitionQuestions', () => {
  it('an answer counts that comes after the host was restarted, before the server was', async () => {
    await using before = await withNotes()
    await before.offer(2)
    await before.questions.review('notes')
    const { inbox, catalogue } = before.restart()
    const [question = assert.fail()] = inbox.open
    await inbox.answer(question.id, yes, here)
    assert.equal(shown(catalogue), 'Version 2')
    inbox.close()
  })

  it('the answer counts before listeners hear of it', async () => {
    await using at = await withNotes()
    await at.offer(2)
    await at.questions.review('notes')
    const heard: unknown[] = []
    at.inbox.addDoor({ name: 'a page', isLocal: true, present() {}, withdraw: () => heard.push(shown(at.catalogue)) })
    await at.inbox.answer(at.inbox.open[0]?.id ?? '', yes, here)
    assert.deepEqual(heard, ['Version 2'])
  })

  it('offers of a server after a restart replace the question from before it', async () => {
    await using before = await withNotes()
    await before.offer(2)
    await before.questions.review('notes')
    const after = before.restart()
    await before.offer(3, after)
    await after.questions.review('notes')
    await after.questions.review('notes')
    const [question = assert.fail(), ...more] = after.inbox.open
    assert.deepEqual(more, [])
    assert.match(JSON.stringify(question.detail), /Version 3/)
    after.inbox.close()
  })

  it('definitions that come while a person answers are not accepted with it, and asked about anew', async () => {
    await using at = await withNotes()
    const { catalogue, inbox, questions, offer } = at
    await offer(2)
    await questions.review('notes')
    const [question = assert.fail()] = inbox.open
    await offer(3)
    await inbox.answer(question.id, yes, here)
    assert.equal(inbox.open.length, 1)
    assert.equal(shown(catalogue), 'Version 1')
    assert.match(JSON.stringify(inbox.open[0]?.detail), /Version 3/)
    await inbox.answer(inbox.open[0]?.id ?? '', yes, here)
    assert.equal(shown(catalogue), 'Version 3')
  })

  it('questions about a removed server, or about a definition that is again the accepted one, are withdrawn', async () => {
    await using at = await withNotes()
    const { inbox, questions, offer } = at
    await offer(2)
    await questions.review('notes')
    await withdrawDefinitionQuestions(inbox, new Set(['notes']))
    assert.equal(inbox.open.length, 1)
    await offer(1)
    await questions.review('notes')
    assert.deepEqual(inbox.open, [])
    await offer(2)
    await questions.review('notes')
    await withdrawDefinitionQuestions(inbox, new Set(['mail']))
    assert.deepEqual(inbox.open, [])
  })
})
