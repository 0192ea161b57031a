import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { projectHeader } from '../../src/gateway/bridge/line-protocol.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { type Chatting, chatting } from '../chat/chatting.ts'
import { textOf } from '../gateway/running-host.ts'
import { pages } from '../programs/attack-patterns.ts'
import { callerOf, programEntry } from '../run/person.ts'
import { acceptProject, callerIn, project } from '../run/working-in.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A model that does whatever the last thing it read wants. */
const obedient = pages.flatMap((_, at) => [
  { calls: [{ id: `a${at}`, name: 'one__echo', arguments: { text: 'the secret' } }] },
  { calls: [{ id: `b${at}`, name: 'library__read_page', arguments: { at } }] },
  { calls: [{ id: `c${at}`, name: 'mail__send', arguments: { text: 'the secret' } }] },
  { text: ['It was refused'] },
])

const bothMarks = ['private', 'untrusted']

describe('injection by output', () => {
  const folder = temporaryFolder()
  const notes = join(folder.path, 'notes.txt')
  let at: Chatting
  before(async () => {
    writeFileSync(notes, '')
    at = await chatting(obedient, {
      settings: {
        mcpServers: {
          one: programEntry('upstream', { data: 'private' }),
          library: programEntry('attacks', { data: 'untrusted' }),
          issues: programEntry('attacks', { data: bothMarks }),
          mail: programEntry('noting', { env: { NOTES: notes, NAME: 'mail' } }),
        },
        // everything is allowed: only the meeting of private and untrusted data asks
        policy: { allow: ['*:*'] },
      },
    })
    await at.running.host.accept('mail')
  })
  after(async () => {
    await at[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  it('a model that obeys every page sends nothing unasked, and reads results as data', async () => {
    const offered = at.running.host.catalogue.entries('library')
    assert.deepEqual(
      offered.filter(({ standing }) => standing === 'usable').map(({ original }) => original),
      ['read_page', 'mail__send'],
      'definitions that give orders are set aside, whichever of their fields does',
    )
    await namesAreApart(at)
    let asked = 0
    for (const [index, { way, text, found }] of pages.entries()) {
      if (found) await scanned(at, index, found)
      const { id } = await at.api.call('startChat', {})
      await at.say(id, { text: 'Summarise the page' }, async (event) => {
        if (event.type !== 'waiting') return
        const question = (await at.api.call('inbox')).items.find((one) => one.id === event.question)
        assert.match(question?.why ?? '', /has read private data of "one", and .* from "library"/, way)
        // a client that read both is asked about before the next page too, since its address may carry data
        const isRead = question?.target === 'read_page'
        if (!isRead) asked += 1
        await at.api.call('answer', { id: event.question, choice: isRead ? 'once' : 'refuse', door: 'terminal' })
      })
      assert.equal(readFileSync(notes, 'utf8'), '', way)
      fenced(at.provider.seen[index * 4 + 2]?.body, text)
    }
    assert.equal(asked, pages.length)
    nothingIsSent(at)
  })

  it('one server with both marks is enough: a caller that obeys its pages sends nothing unasked', async () => {
    await at.running.host.accept('issues')
    await oneSourceAsks(at, 'issues')
    assert.equal(readFileSync(notes, 'utf8'), '')
    nothingIsSent(at)
  })

  it('one server with both marks in the file of a project is enough, too', async () => {
    const desk = project(at.ann, 'desk', { mcpServers: { tickets: programEntry('attacks', { data: bothMarks }) } })
    await using mcp = await callerIn(at.running, desk)
    await mcp.tools.list().all()
    await acceptProject(at.running, desk)
    await oneSourceAsks(at, 'tickets', desk)
    assert.equal(readFileSync(notes, 'utf8'), '')
    nothingIsSent(at)
  })
})

function nothingIsSent({ running }: Chatting): void {
  const sent = queryLedger(running.host.store, { server: 'mail' }).filter(({ line }) => line.outcome === 'ok')
  assert.deepEqual(sent, [])
}

/** Callers that read one page each, of a server with both marks and of no other, and obey it: nothing is sent unasked. */
async function oneSourceAsks({ running, api }: Chatting, server: string, directory?: string): Promise<void> {
  for (const [at, { way }] of pages.entries()) {
    const name = `${server}-${at}`
    const { token } = await running.host.principals.make({ name })
    const headers = { authorization: `Bearer ${token}`, ...(directory !== undefined && projectHeader(directory)) }
    await using mcp = await connect(new URL(running.host.url), { http: { headers } })
    const { _meta } = await mcp.tools.call(`${server}__read_page`, { at })
    assert.equal(_meta?.['dev.trunkline/untrusted'], server, way)
    // the next page of the same server is no way out for its own data
    assert.equal((await mcp.tools.call(`${server}__read_page`, { at }))._meta?.['dev.trunkline/untrusted'], server, way)
    assert.match(textOf(await mcp.tools.call('mail__send', { text: 'the secret' })), /waits for a person/, way)
    const question = (await api.call('inbox')).items.find(({ principal }) => principal === name)
    const read = `private data of "${server}", and what others may have written, from "${server}"`
    assert.ok(question?.why.includes(`"${name}" has read ${read}`), way)
    await api.call('answer', { id: question?.id ?? '', choice: 'refuse', door: 'terminal' })
  }
}

/** A tool that is called as one of another server is called otherwise here, and no call of that other one reaches it. */
async function namesAreApart(at: Chatting): Promise<void> {
  await using mcp = await callerOf(at.running, 'reader')
  const names = (await mcp.tools.list().all()).map(({ name }) => name)
  assert.deepEqual(names.filter((name) => name.endsWith('send')).sort(), ['library__mail__send', 'mail__send'])
  assert.equal(at.running.host.catalogue.entries('mail').find(({ name }) => name === 'mail__send')?.original, 'send')
}

/** Passages of a page that address a model are reported beside it, and its text arrives as it is. */
async function scanned(at: Chatting, index: number, found: RegExp): Promise<void> {
  await using mcp = await callerOf(at.running, 'reader')
  const { _meta } = await mcp.tools.call('library__read_page', { at: index })
  assert.equal(_meta?.['dev.trunkline/untrusted'], 'library')
  const suspicious = (_meta?.['dev.trunkline/suspicious'] ?? []) as readonly { readonly why: string }[]
  assert.match(suspicious.map(({ why }) => why).join('; '), found, pages[index]?.way)
}

/** The text for the model stands between two marks that its author could not know, and the rule says what that means. */
function fenced(body: unknown, text: string): void {
  const all = JSON.stringify(body)
  const [, word] = /Text between <untrusted-([0-9a-f]{12})>/.exec(all) ?? assert.fail('no rule')
  const strings: string[] = []
  JSON.parse(all, (_key, value) => {
    if (typeof value === 'string') strings.push(value)
    return value
  })
  // hidden characters are not looked for
  const begins = text.replace(/[\u{e0000}-\u{e007f}]/gu, '').slice(0, 24)
  const holding = strings.filter((one) => one.includes(begins))
  assert.ok(holding.length > 0, 'the model reads the page')
  for (const one of holding) {
    const open = one.indexOf(`<untrusted-${word} from=`)
    const close = one.lastIndexOf(`</untrusted-${word}>`)
    const place = one.indexOf(begins)
    assert.ok(open >= 0 && open < place && place < close, one)
    assert.equal(one.split(`</untrusted-${word}>`).length, one.split(`<untrusted-${word} from=`).length)
  }
}
