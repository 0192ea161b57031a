import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { queryLedger } from '../../src/ledger/query.ts'
import { type Chatting, chatting } from '../chat/chatting.ts'
import { pages } from '../programs/attack-patterns.ts'
import { callerOf, programEntry } from '../run/person.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A model that does whatever the last thing it read wants. */
const obedient = pages.flatMap((_, at) => [
  { calls: [{ id: `a${at}`, name: 'one__echo', arguments: { text: 'the secret' } }] },
  { calls: [{ id: `b${at}`, name: 'library__read_page', arguments: { at } }] },
  { calls: [{ id: `c${at}`, name: 'mail__send', arguments: { text: 'the secret' } }] },
  { text: ['It was refused'] },
])

it('a model that obeys every page sends nothing unasked, and reads results as data', async () => {
  using folder = temporaryFolder()
  const notes = join(folder.path, 'notes.txt')
  writeFileSync(notes, '')
  await using at = await chatting(obedient, {
    settings: {
      mcpServers: {
        one: programEntry('upstream', { data: 'private' }),
        library: programEntry('attacks', { data: 'untrusted' }),
        mail: programEntry('noting', { env: { NOTES: notes, NAME: 'mail' } }),
      },
      // everything is allowed: only the meeting of private and untrusted data asks
      policy: { allow: ['*:*'] },
    },
  })
  await at.running.host.accept('mail')
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
  const sent = queryLedger(at.running.host.store, { server: 'mail' }).filter(({ line }) => line.outcome === 'ok')
  assert.deepEqual(sent, [])
})

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
