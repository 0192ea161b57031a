import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { Act } from '../act/act.ts'
import { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'
import { openStore } from '../store/store.ts'
import { catalogueTables } from '../store/tables/catalogue-tables.ts'
import { hiddenServers } from './hidden-servers.ts'
import { aggregateView, entryNamed, type Profile, profileView, serverView, viewFor, visibleEntries } from './view.ts'

const _meta = { ui: { resourceUri: 'ui://one' }, 'ui/resourceUri': 'ui://one', 'example.com/kept': 1 }
const entry = (meta: object): Entry => ({
  kind: 'tool',
  name: 'one__show',
  server: 'one',
  original: 'show',
  shown: 'show',
  definition: { name: 'show', inputSchema: { type: 'object' }, _meta: meta },
  hash: '',
  class: 'reads',
  standing: 'usable',
})

it('the aggregate shows no app, which could reach the tools of other servers; one server shows its own', () => {
  const all = aggregateView(() => ['one', 'two'])
  assert.deepEqual(all.show(entry(_meta))._meta, { 'example.com/kept': 1 })
  assert.equal('_meta' in all.show(entry({ ui: _meta.ui })), false)
  assert.deepEqual(serverView(() => ['one']).show(entry(_meta))._meta, _meta)
})

/** The servers "one" and "two", whose tools were accepted; one of "two" is for views alone, and one is new. */
async function accepted() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [catalogueTables] })
  const catalogue = new Catalogue(store)
  const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more })
  const forViews = tool('draw', { _meta: { ui: { visibility: ['app'] } } })
  const lists = { prompts: [{ name: 'greet' }], templates: [] }
  for (const [server, tools] of Object.entries({ one: [tool('read'), tool('send')], two: [tool('read'), forViews] })) {
    await catalogue.acceptCommand(server, 'c')
    await catalogue.offer(server, { tools, ...lists })
    await catalogue.pin(server)
  }
  await catalogue.offer('one', { tools: [tool('read'), tool('send'), tool('fresh')], ...lists })
  return {
    catalogue,
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

const all = () => aggregateView(() => ['one', 'two'])
const withProfile = (profile: Profile | undefined) =>
  profileView(
    () => ['one', 'two', 'two@12345678'],
    () => profile,
  )

it('the aggregate lists the accepted offers of every server, except tools that are for views alone', async () => {
  await using at = await accepted()
  const names = visibleEntries(all(), at.catalogue, 'tool').map(({ name }) => name)
  assert.deepEqual(names, ['one__read', 'one__send', 'two__read'])
  assert.equal(entryNamed(all(), at.catalogue, 'tool', 'two__draw'), undefined)
  assert.equal(entryNamed(all(), at.catalogue, 'tool', 'read'), undefined)
  assert.equal(entryNamed(all(), at.catalogue, 'prompt', 'one__read'), undefined)
  // so that a caller can be told why it may not use it
  assert.equal(entryNamed(all(), at.catalogue, 'tool', 'one__fresh')?.standing, 'new')
})

it('one server shows its own names, and tools for views to callers that show views alone', async () => {
  await using at = await accepted()
  const two = serverView(() => ['two'])
  const shown = (capabilities: object) =>
    visibleEntries(viewFor(two, { capabilities }), at.catalogue, 'tool').map(({ original }) => original)
  assert.deepEqual(shown({}), ['read'])
  assert.deepEqual(shown({ extensions: { 'io.modelcontextprotocol/ui': {} } }), ['read', 'draw'])
  assert.equal(entryNamed(two, at.catalogue, 'tool', 'read')?.server, 'two')
  assert.equal(entryNamed(two, at.catalogue, 'tool', 'one__read'), undefined)
})

it('a profile offers its servers and tools alone, also to a caller that knows the name of another', async () => {
  await using at = await accepted()
  assert.deepEqual(withProfile({ servers: ['two'] }).servers(), ['two', 'two@12345678'])
  assert.deepEqual(withProfile({ servers: [] }).servers(), [])
  assert.deepEqual(withProfile({}).servers().length, 3)
  const some = withProfile({ servers: ['one', 'two'], tools: ['one:r*', 'two:draw'] })
  assert.deepEqual(
    visibleEntries(some, at.catalogue, 'tool').map(({ name }) => name),
    ['one__read'],
  )
  for (const name of ['one__send', 'two__read', 'two__draw'])
    assert.equal(entryNamed(some, at.catalogue, 'tool', name), undefined)
  assert.equal(visibleEntries(some, at.catalogue, 'prompt').length, 2, 'patterns are of tools')
  assert.deepEqual([some.isSearched?.(), some.listsPipe?.()], [false, false])
  assert.deepEqual(
    [withProfile({ search: true }).isSearched?.(), withProfile({ pipe: true }).listsPipe?.()],
    [true, true],
  )
})

it('a server that is hidden is in no list, and its tools are found by their names', async () => {
  await using at = await accepted()
  const act = { kind: 'list', server: 'trunkline', serverKey: 'trunkline' } as Act
  const judged: string[] = []
  const hidden = hiddenServers(act, ['one', 'two', 'two@12345678'], ({ server, serverKey }) => {
    judged.push(`${server} ${serverKey}`)
    return server !== 'two'
  })
  assert.deepEqual([...hidden], ['two', 'two@12345678'])
  assert.deepEqual(judged, ['trunkline trunkline', 'one one', 'two two', 'two two@12345678'])
  const view = { ...all(), hidden }
  assert.deepEqual(
    visibleEntries(view, at.catalogue, 'tool').map(({ server }) => server),
    ['one', 'one'],
  )
  assert.equal(entryNamed(view, at.catalogue, 'tool', 'two__read')?.server, 'two')
})
